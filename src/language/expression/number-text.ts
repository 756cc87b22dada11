/** A float as Python writes it: the shortest text that reads back as the same number, and never like an integer. */
export function floatText(float: number): string {
  if (Number.isNaN(float)) return "nan"
  if (!Number.isFinite(float)) return float > 0 ? "inf" : "-inf"
  const sign = float < 0 || Object.is(float, -0) ? "-" : ""
  const [mantissa, power] = Math.abs(float).toExponential().split("e") as [string, string]
  const digits = mantissa.replace(".", "")
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) return sign + mantissa + exponentText(exponent)
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0")
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`
}

/** With its sign and at least two digits, as in 1e-05. */
export function exponentText(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`
}

/** With so many places behind the point; halves go to the even neighbour, by the exact value of the float. */
export function fixedText(float: number, places: number): string {
  if (!Number.isFinite(float)) return floatText(float)
  const { numerator, denominator } = fractionOf(Math.abs(float))
  const scaled =
    places >= 0
      ? divideToEven(numerator * 10n ** BigInt(places), denominator)
      : divideToEven(numerator, denominator * 10n ** BigInt(-places)) * 10n ** BigInt(-places)
  const digits = scaled.toString().padStart(places + 1, "0")
  const sign = float < 0 || Object.is(float, -0) ? "-" : ""
  return places > 0 ? `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}` : sign + digits
}

/** Of digits behind the point only so many can be anything but 0. */
const mostPlaces = 1_100

/** The same for any number of places. */
export function longFixedText(float: number, places: number): string {
  const text = fixedText(float, Math.min(places, mostPlaces))
  return Number.isFinite(float) ? text + "0".repeat(Math.max(0, places - mostPlaces)) : text
}

/** So many digits, at least one, rounded as above, and the power of ten of the first. The float is finite. */
export function significantDigits(
  float: number,
  count: number,
): { readonly digits: string; readonly exponent: number } {
  if (float === 0) return { digits: "0".repeat(count), exponent: 0 }
  const { numerator, denominator } = fractionOf(Math.abs(float))
  const wanted = Math.min(count, mostPlaces)
  const scaled = (exponent: number): string => {
    const shift = wanted - 1 - exponent
    return shift >= 0
      ? divideToEven(numerator * 10n ** BigInt(shift), denominator).toString()
      : divideToEven(numerator, denominator * 10n ** BigInt(-shift)).toString()
  }
  // The shortest text may be rounded up to the next power of ten, which the float itself is below.
  const near = Number(Math.abs(float).toExponential().split("e")[1])
  const exponent = scaled(near).length < wanted ? near - 1 : near
  const digits = scaled(exponent)
  const isRoundedUp = digits.length > wanted
  return {
    digits: (isRoundedUp ? digits.slice(0, -1) : digits).padEnd(count, "0"),
    exponent: isRoundedUp ? exponent + 1 : exponent,
  }
}

/** The quotient of two positive integers, rounded; halves go to the even neighbour. */
export function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const twice = (numerator % denominator) * 2n
  if (twice < denominator) return quotient
  if (twice > denominator) return quotient + 1n
  return quotient + (quotient % 2n)
}

/** A positive float as what it is exactly. */
export function fractionOf(float: number): { numerator: bigint; denominator: bigint } {
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
