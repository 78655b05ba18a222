// Amounts of cents, as people write and read them.

import { number, say } from "../clock/words.js";

// €1,250 or 12.50 CHF: cents only where there are some.
export function amountText(cents, currency) {
  const rest = cents % 100;
  const whole = number(Math.floor(cents / 100));
  const amount = rest ? `${whole}${say("decimal")}${String(rest).padStart(2, "0")}` : whole;
  if (!currency) return amount;
  return say(/\p{L}/u.test(currency) ? "amount-word" : "amount-sign", { amount, currency });
}

// As it is typed again into a field.
export function plainText(cents) {
  return cents % 100 ? `${Math.floor(cents / 100)}${say("decimal")}${String(cents % 100).padStart(2, "0")}` : String(cents / 100);
}

// What people type: 1250, 1,250, 12.5 or 12,50; null where it is none. A mark with one or two digits
// after it at the end stands before the cents, every other one between thousands.
export function centsOf(text) {
  const parts = text.trim().match(/^([\d\s.,'’]*?)(?:[.,](\d{1,2}))?$/);
  const whole = parts?.[1].replace(/[\s.,'’]/g, "") || "0";
  if (!parts || !/\d/.test(text) || !/^\d{1,10}$/.test(whole)) return null;
  return Number(whole) * 100 + Number((parts[2] ?? "").padEnd(2, "0"));
}
