import type { Meter } from "../meter.ts"

/** A format of Python: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`. */
export interface FormatSpec {
  readonly fill: string
  /** Undefined: the default of the kind of value. */
  readonly align: "<" | ">" | "=" | "^" | undefined
  readonly sign: "+" | "-" | " " | undefined
  readonly flags: { readonly z: boolean; readonly alternate: boolean; readonly zero: boolean }
  readonly width: number
  readonly grouping: "," | "_" | undefined
  readonly precision: number | undefined
  /** One letter, or "" if there is none. */
  readonly type: string
}

const pattern =
  /^(?:(?<fill>.)(?<aligned>[<>=^])|(?<align>[<>=^]))?(?<sign>[-+ ])?(?<z>z)?(?<alternate>#)?(?<width>\d*)(?<grouping>[_,]?)(?:\.(?<precision>\d+))?(?<type>[^\d.,_]?)$/su

export function readFormatSpec(text: string, meter: Meter): FormatSpec {
  meter.spendReading(text)
  const groups = pattern.exec(text)?.groups
  if (groups === undefined) throw meter.failure(`${JSON.stringify(text)} is not a valid format.`)
  const { fill, aligned, align, sign, width = "", grouping, precision, type = "" } = groups
  const zero = fill === undefined && width.startsWith("0")
  return {
    fill: fill ?? (zero ? "0" : " "),
    align: (aligned ?? align) as FormatSpec["align"],
    sign: sign as FormatSpec["sign"],
    flags: { z: groups.z !== undefined, alternate: groups.alternate !== undefined, zero },
    width: sizeOf(width, meter),
    grouping: (grouping || undefined) as FormatSpec["grouping"],
    precision: precision === undefined ? undefined : sizeOf(precision, meter),
    type,
  }
}

/** Reads a width or precision, and reserves the text before it is created. */
function sizeOf(digits: string, meter: Meter): number {
  const size = digits === "" ? 0 : Number(digits)
  meter.reserveText(size)
  return size
}
