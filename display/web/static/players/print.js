// The papers are printed by the browser, which also makes a PDF of them.

document.getElementById("print").onclick = () => window.print();
