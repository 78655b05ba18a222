// What a tester with a ruler finds on the blinds screen: for every visible text the height
// of its capitals, its contrast with what is behind it, and whether it is all on the screen.
() => {
  const channels = (color) => color.match(/[\d.]+/g).slice(0, 3).map(Number);
  const light = (color) => {
    const [r, g, b] = channels(color).map((c) => {
      const s = c / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const grounds = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return style.backgroundImage.match(/rgba?\([^)]*\)/g);
      if (!/^rgba.*, 0\)$/.test(style.backgroundColor)) return [style.backgroundColor];
    }
    return ["rgb(255, 255, 255)"];
  };
  const pen = document.createElement("canvas").getContext("2d");
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].filter((n) => n.nodeType === 3 && n.data.trim());
    if (!own.length || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    if (style.visibility === "hidden") continue;
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = range.getBoundingClientRect();
    const capital = pen.measureText("H").actualBoundingBoxAscent;
    // The letters stand in the middle of the line, capitals 0.05 em above it.
    const size = parseFloat(style.fontSize);
    const middle = (box.top + box.bottom) / 2 + 0.4 * size;
    found.push({
      id: element.id || element.className,
      text: own.map((n) => n.data).join(" ").trim(),
      capital,
      contrast: Math.min(...grounds(element).map((ground) => ratio(style.color, ground))),
      left: box.left,
      right: box.right,
      top: middle - capital,
      bottom: middle,
      clipped: element.scrollWidth > element.clientWidth + 1 && style.overflowX === "hidden",
    });
  }
  return found;
}
