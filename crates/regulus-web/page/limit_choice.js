/** How long an agent thinks: one of some limits, or any other that is written. */

import { h } from "./dom.js";

let lists = 0;

/**
 * @param {object} choice
 * @param {string[][]} choice.limits each with its words
 * @param {string} choice.per such as "a move"
 * @param {string} choice.wanted
 * @param {string} choice.label
 * @param {string} choice.example
 * @param {string} choice.otherLabel
 * @param {{ [name: string]: unknown }} choice.attributes
 */
export function limitChoice({ limits, per, wanted, label, example, otherLabel, attributes }) {
  const select = h("select", { "aria-label": label, ...attributes });
  for (const [value, words] of limits) select.append(h("option", { value }, `${words} ${per}`));
  if (!limits.some(([value]) => value === wanted)) select.append(h("option", { value: wanted }, `${wanted} ${per}`));
  select.append(h("option", { value: "other" }, "other…"));
  select.value = wanted;
  const id = `limits-${++lists}`;
  const list = h("datalist", { id }, ...limits.map(([value, words]) => h("option", { value }, words)));
  const other = h("input", { "aria-label": `${otherLabel}, such as ${example}`, placeholder: example, value: wanted, hidden: true, list: id });
  const show = () => {
    other.hidden = select.value !== "other" || select.disabled;
  };
  select.addEventListener("change", show);
  return {
    elements: [select, other, list],
    /** @param {boolean} needed */
    enable(needed) {
      select.disabled = !needed;
      show();
    },
    value: () => (select.value === "other" ? other.value.trim() : select.value),
  };
}

/**
 * A limit in words.
 * @param {string[][]} limits
 * @param {string} limit
 */
export function limitInWords(limits, limit) {
  return limits.find(([value]) => value === limit)?.[1] ?? limit;
}
