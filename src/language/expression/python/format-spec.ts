import type { Meter } from "../meter.ts"

/** How a value is to be written: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`. */
export interface FormatSpec {
  readonly fill: string
  /** Undefined: as values of its kind are. */
  readonly align: "<" | ">" | "=" | "^" | undefined
  readonly sign: "+" | "-" | " " | undefined
  readonly flags: { readonly z: boolean; readonly alternate: boolean; readonly zero: boolean }
  readonly width: number
  readonly grouping: "," | "_" | undefined
  readonly precision: number | undefined
  /** One letter, or "" where none is written. */
  readonly type: string
}

const pattern =
  /^(?:(?<fill>.)(?<aligned>[<>=^])|(?<align>[<>=^]))?(?<sign>[-+ ])?(?<z>z)?(?<alternate>#)?(?<width>\d*)(?<grouping>[_,]?)(?:\.(?<precision>\d+))?(?<type>[^\d.,_]?)$/su

export function readFormatSpec(text: string, meter: Meter): FormatSpec {
  meter.spendReading(text)
  const found = pattern.exec(text)?.groups
  if (found === undefined) throw meter.failure(`${JSON.stringify(text)} is not how a format is written.`)
  const { fill, aligned, align, sign, width = "", grouping, precision, type = "" } = found
  const zero = fill === undefined && width.startsWith("0")
  return {
    fill: fill ?? (zero ? "0" : " "),
    align: (aligned ?? align) as FormatSpec["align"],
    sign: sign as FormatSpec["sign"],
    flags: { z: found.z !== undefined, alternate: found.alternate !== undefined, zero },
    width: sizeOf(width, meter),
    grouping: (grouping || undefined) as FormatSpec["grouping"],
    precision: precision === undefined ? undefined : sizeOf(precision, meter),
    type,
  }
}

/** Asked for before it is made. */
function sizeOf(digits: string, meter: Meter): number {
  const size = digits === "" ? 0 : Number(digits)
  meter.reserveText(size)
  return size
}
