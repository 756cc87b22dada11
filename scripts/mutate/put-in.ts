import type { Fault } from "./places.ts"

/** The text of a file with faults that do nothing until one of them is switched on; no two of them overlap. */
export function putIn(text: string, faults: readonly (Fault & { readonly number: number })[]): string {
  let result = ""
  let from = 0
  for (const fault of [...faults].sort((one, other) => one.start - other.start)) {
    if (fault.start < from) throw new Error(`Two faults overlap in ${fault.file}, line ${fault.line}.`)
    result += text.slice(from, fault.start) + switched(fault)
    from = fault.end
  }
  return result + text.slice(from)
}

/**
 * A parenthesis that leads would join the line before, which has no semicolon; and an `if` without braces would take the
 * `else` of the one that it stands in.
 */
function switched({ number, before, after, form }: Fault & { readonly number: number }): string {
  const isOn = `globalThis.__fault(${number})`
  return form === "statement"
    ? `{ if (!${isOn}) { ${before} } }`
    : `${form === "leading" ? "void 0, " : ""}(${isOn} ? (${after}) : (${before}))`
}
