/** Writes a float like Python: the shortest text that reads as the same number. The text has a point or an exponent. */
export function writeFloat(float: number): string {
  if (Number.isNaN(float)) return "nan"
  if (!Number.isFinite(float)) return float > 0 ? "inf" : "-inf"
  const sign = float < 0 || Object.is(float, -0) ? "-" : ""
  const [mantissa, power] = Math.abs(float).toExponential().split("e") as [string, string]
  const digits = mantissa.replace(".", "")
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) return sign + mantissa + writeExponent(exponent)
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0")
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`
}

/** Writes an exponent with its sign and at least two digits, as in 1e-05. */
export function writeExponent(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`
}

/** Writes a float with a fixed number of decimal places. Halves, by the exact value of the float, go to the even neighbour. */
export function writeFixedPlaces(float: number, places: number): string {
  if (!Number.isFinite(float)) return writeFloat(float)
  const { numerator, denominator } = toFraction(Math.abs(float))
  const scaled =
    places >= 0
      ? divideToEven(numerator * 10n ** BigInt(places), denominator)
      : divideToEven(numerator, denominator * 10n ** BigInt(-places)) * 10n ** BigInt(-places)
  const digits = scaled.toString().padStart(places + 1, "0")
  const sign = float < 0 || Object.is(float, -0) ? "-" : ""
  return places > 0 ? `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}` : sign + digits
}

/** All decimal places of a float after these are 0. */
const mostPlaces = 1_100

/** Like `writeFixedPlaces`, but fast for any number of decimal places. */
export function writeLongFixedPlaces(float: number, places: number): string {
  const text = writeFixedPlaces(float, Math.min(places, mostPlaces))
  return Number.isFinite(float) ? text + "0".repeat(Math.max(0, places - mostPlaces)) : text
}

/** The first digits of a finite float, and the power of ten of the first digit. Halves go to the even neighbour. */
export function computeSignificantDigits(
  float: number,
  count: number,
): { readonly digits: string; readonly exponent: number } {
  if (float === 0) return { digits: "0".repeat(count), exponent: 0 }
  const { numerator, denominator } = toFraction(Math.abs(float))
  const wanted = Math.min(count, mostPlaces)
  const scaled = (exponent: number): string => {
    const shift = wanted - 1 - exponent
    return shift >= 0
      ? divideToEven(numerator * 10n ** BigInt(shift), denominator).toString()
      : divideToEven(numerator, denominator * 10n ** BigInt(-shift)).toString()
  }
  // The shortest text may be rounded up to the next power of ten, although the float itself is smaller.
  const near = Number(Math.abs(float).toExponential().split("e")[1])
  const exponent = scaled(near).length < wanted ? near - 1 : near
  const digits = scaled(exponent)
  const isRoundedUp = digits.length > wanted
  return {
    digits: (isRoundedUp ? digits.slice(0, -1) : digits).padEnd(count, "0"),
    exponent: isRoundedUp ? exponent + 1 : exponent,
  }
}

/** Divides an integer that is not negative by a positive integer and rounds. Halves go to the even neighbour. */
export function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const twice = (numerator % denominator) * 2n
  if (twice < denominator) return quotient
  if (twice > denominator) return quotient + 1n
  return quotient + (quotient % 2n)
}

/** The exact fraction of a finite float that is not negative. */
export function toFraction(float: number): { numerator: bigint; denominator: bigint } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, float)
  const bits = view.getBigUint64(0)
  const fraction = bits & 0xfffffffffffffn
  const stored = Number(bits >> 52n)
  const mantissa = stored === 0 ? fraction : fraction | 0x10000000000000n
  const exponent = Math.max(stored, 1) - 1075
  return exponent >= 0
    ? { numerator: mantissa << BigInt(exponent), denominator: 1n }
    : { numerator: mantissa, denominator: 1n << BigInt(-exponent) }
}
