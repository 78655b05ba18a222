// Runs a UF2 file for an RP2040 in rp2040js, with its USB serial port on standard input and output.
//
//   node boot.mjs PACKAGE FILE.uf2        PACKAGE is the folder of rp2040js
//
// The boot ROM is not Raspberry Pi's: its functions are written here, by what the SDK's
// pico/bootrom.h and pico/bootrom/sf_table.h say of them, as a breakpoint each. What is not written
// here is an error that names it. Everything else, from the first instruction of the second stage
// on, is the file's own code.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { ConsoleLogger, LogLevel, Simulator, USBCDC } = await import(
  pathToFileURL(`${folder}/dist/esm/index.js`)
);
const simulator = new Simulator();
const mcu = simulator.rp2040;
mcu.logger = new ConsoleLogger(LogLevel.Error, false);
const { core } = mcu;
const FLASH = 0x10000000;

const uf2 = readFileSync(file);
for (let at = 0; at < uf2.length; at += 512) {
  const address = uf2.readUInt32LE(at + 12) - FLASH;
  mcu.flash.set(uf2.subarray(at + 32, at + 32 + uf2.readUInt32LE(at + 16)), address);
}

// --- the boot ROM ---------------------------------------------------------------------------

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);
const toFloat = (raw) => ((bits[0] = raw), float[0]);
const fromFloat = (value) => ((float[0] = value), bits[0]);
const clamped = (value, low, high) =>
  Number.isNaN(value) ? 0 : Math.min(Math.max(Math.trunc(value), low), high) >>> 0;
const r = core.registers;
const two = (f) => () => (r[0] = fromFloat(f(toFloat(r[0]), toFloat(r[1]))));
const countLeading = (value) => Math.clz32(value);
const copy = (to, from, size) => {
  for (let at = 0; at < size; at++) mcu.writeUint8(to + at, mcu.readUint8(from + at));
};
const fill = (to, value, size) => {
  for (let at = 0; at < size; at++) mcu.writeUint8(to + at, value & 0xff);
};
const nothing = () => {};
const FUNCTIONS = {
  P3: () => (r[0] = [...(r[0] >>> 0).toString(2)].filter((bit) => bit === "1").length),
  R3: () => (r[0] = parseInt((r[0] >>> 0).toString(2).padStart(32, "0").split("").reverse().join(""), 2)),
  L3: () => (r[0] = countLeading(r[0])),
  T3: () => (r[0] = r[0] ? 31 - countLeading(r[0] & -r[0]) : 32),
  MS: () => fill(r[0], r[1], r[2]),
  S4: () => fill(r[0], r[1], r[2]),
  MC: () => copy(r[0], r[1], r[2]),
  C4: () => copy(r[0], r[1], r[2]),
  IF: nothing,
  EX: nothing,
  FC: nothing,
  CX: nothing,
  RE: () => mcu.flash.fill(0xff, r[0], r[0] + r[1]),
  RP: () => {
    for (let at = 0; at < r[2]; at++) mcu.flash[r[0] + at] &= mcu.readUint8(r[1] + at);
  },
};
const compare = () => {
  const [a, b] = [toFloat(r[0]), toFloat(r[1])];
  return a < b ? -1 : a > b ? 1 : 0;
};
const FLOATS = {
  0x00: two((a, b) => a + b),
  0x04: two((a, b) => a - b),
  0x08: two((a, b) => a * b),
  0x0c: two((a, b) => a / b),
  0x10: () => (r[0] = compare() >>> 0),
  0x14: () => {
    const sign = compare();
    [core.N, core.Z, core.C, core.V] = [sign < 0, sign === 0, sign >= 0, false];
  },
  0x18: two((a) => Math.sqrt(a)),
  0x1c: () => (r[0] = clamped(toFloat(r[0]), -0x80000000, 0x7fffffff)),
  0x24: () => (r[0] = clamped(toFloat(r[0]), 0, 0xffffffff)),
  0x2c: () => (r[0] = fromFloat(r[0] | 0)),
  0x34: () => (r[0] = fromFloat(r[0] >>> 0)),
};
const rom = new DataView(mcu.bootrom.buffer);
const SPOTS = 0x400;
const called = [];
function spot(name, run) {
  const at = SPOTS + 4 * called.length;
  rom.setUint16(at, 0xbe00 | called.length, true); // bkpt #n
  rom.setUint16(at + 2, 0x4770, true); // bx lr
  called.push([name, run]);
  return at + 1;
}
function missing(name) {
  return () => {
    throw new Error(`${name} of the boot ROM is not written here`);
  };
}
let table = 0x40;
for (const [code, run] of Object.entries(FUNCTIONS)) {
  rom.setUint16(table, code.charCodeAt(0) | (code.charCodeAt(1) << 8), true);
  rom.setUint16(table + 2, spot(code, run), true);
  table += 4;
}
const floats = 0x200;
const doubles = 0x300;
for (let offset = 0; offset < 0x80; offset += 4) {
  const name = `SF+${offset.toString(16)}`;
  rom.setUint32(floats + offset, spot(name, FLOATS[offset] ?? missing(name)), true);
  rom.setUint32(doubles + offset, spot("SD", missing(`SD+${offset.toString(16)}`)), true);
}
const data = 0x140;
for (const [number, [code, at]] of [["SF", floats], ["SD", doubles]].entries()) {
  rom.setUint16(data + 4 * number, code.charCodeAt(0) | (code.charCodeAt(1) << 8), true);
  rom.setUint16(data + 4 * number + 2, at, true);
}
const lookup = spot("lookup", () => {
  for (let at = r[0]; rom.getUint16(at, true); at += 4) {
    if (rom.getUint16(at, true) === (r[1] & 0xffff)) {
      r[0] = rom.getUint16(at + 2, true);
      return;
    }
  }
  r[0] = 0;
});
rom.setUint8(0x10, 0x4d); // 'M', 'u', 1, version 2
rom.setUint8(0x11, 0x75);
rom.setUint8(0x12, 0x01);
rom.setUint8(0x13, 0x02);
rom.setUint16(0x14, 0x40, true);
rom.setUint16(0x16, data, true);
rom.setUint16(0x18, lookup, true);
mcu.onBreak = (number) => {
  const [, run] = called[number];
  run();
};

// --- what hangs on it: nothing, with every pin pulled up -------------------------------------

for (const pin of mcu.gpio) pin.setInputValue(true);
const port = new USBCDC(mcu.usbCtrl);
port.onSerialData = (bytes) => process.stdout.write(bytes);
process.stdin.on("data", (bytes) => {
  for (const byte of bytes) port.sendSerialByte(byte);
});
process.stdin.on("end", () => process.exit(0));
// The second stage is called with no way back, and with a stack at the end of memory.
core.SP = 0x20042000;
core.LR = 0;
core.PC = FLASH;
simulator.execute();
