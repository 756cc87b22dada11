import { computeSignificantDigits, writeExponent, writeFloat, writeLongFixedPlaces } from "../number-text.ts"

/** The style of a float: one of the letters e, f, g and %, or Python's own. */
interface FloatStyle {
  readonly type: string
  readonly precision: number | undefined
  /** Writes a point even if no digits follow. */
  readonly alternate: boolean
}

/** Writes a float with its sign, without the percent sign. */
export function formatFloat(float: number, style: FloatStyle): string {
  const sign = float < 0 || Object.is(float, -0) ? "-" : ""
  const text = sign + writtenAs(Math.abs(float), style)
  return "EFG".includes(style.type || "f") ? text.toUpperCase() : text
}

function writtenAs(float: number, { type, precision, alternate }: FloatStyle): string {
  if (!Number.isFinite(float)) return writeFloat(float)
  const point = alternate ? "." : ""
  switch (type.toLowerCase()) {
    case "f":
    case "%": {
      const places = precision ?? 6
      return writeLongFixedPlaces(type === "%" ? float * 100 : float, places) + (places === 0 ? point : "")
    }
    case "e":
      return exponential(computeSignificantDigits(float, (precision ?? 6) + 1), point)
    case "":
      return precision === undefined ? shortest(float, point) : general(float, precision || 1, "point", point)
    default:
      return general(float, precision === undefined ? 6 : precision || 1, "plain", point)
  }
}

interface Digits {
  readonly digits: string
  readonly exponent: number
}

function exponential({ digits, exponent }: Digits, point: string): string {
  const places = digits.slice(1)
  return digits[0]! + (places === "" ? point : `.${places}`) + writeExponent(exponent)
}

function shortest(float: number, point: string): string {
  const text = writeFloat(float)
  return text.includes(".") ? text : text.replace("e", `${point}e`)
}

/** Writes a very large or small number with an exponent. `point`: the text never looks like an integer. */
function general(float: number, count: number, look: "plain" | "point", point: string): string {
  const significant = computeSignificantDigits(float, count)
  const { exponent } = significant
  const digits = point === "" ? significant.digits.replace(/0+$/, "") || "0" : significant.digits
  if (exponent < -4 || exponent >= (look === "point" ? Math.max(count - 1, 0) : count))
    return exponential({ digits, exponent }, point)
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`
  const places = digits.slice(exponent + 1)
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0")
  return whole + (places !== "" ? `.${places}` : look === "point" ? ".0" : point)
}
