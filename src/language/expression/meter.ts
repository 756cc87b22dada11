import { deepestNesting, ExpressionFailure } from "./failure.ts"

/** The limits of one evaluation or rendering. */
export interface ExpressionLimits {
  /** Counts evaluated nodes, rounds of loops, items and every 64 characters of new text. Large integers cost more. Default: 1,000,000. */
  readonly steps: number
  /** The longest text, and the longest output, in UTF-16 units. Default: 1,000,000. */
  readonly characters: number
  /** The longest list or range. Default: 100,000. */
  readonly items: number
}

const defaultLimits: ExpressionLimits = { steps: 1_000_000, characters: 1_000_000, items: 100_000 }

/** Python's own limit for converting an integer to text. */
const maxDigits = 4300
const integerBound = 10n ** BigInt(maxDigits)

/** Counts the cost of an evaluation, and knows its current offset in the text. */
export class Meter {
  readonly limits: ExpressionLimits
  /** The offset that a failure is reported at. */
  place = 0
  #stepsLeft: number
  #depth = 0

  constructor(limits: Partial<ExpressionLimits> = {}) {
    this.limits = { ...defaultLimits, ...limits }
    this.#stepsLeft = this.limits.steps
  }

  failure(message: string): ExpressionFailure {
    return new ExpressionFailure(message, this.place)
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft < 0)
      throw new ExpressionFailure(`This takes more than ${this.limits.steps} steps.`, this.place, "steps")
  }

  /** Must be called before a text of this length is created. */
  reserveText(length: number): void {
    if (length > this.limits.characters)
      throw new ExpressionFailure(
        `This makes a text of more than ${this.limits.characters} characters.`,
        this.place,
        "characters",
      )
    this.spend(length >> 6)
  }

  /** Must be called before a list of this length is created. */
  reserveItems(count: number): void {
    if (count > this.limits.items)
      throw new ExpressionFailure(
        `This makes a list of more than ${this.limits.items} items.`,
        this.place,
        "items",
      )
    this.spend(count)
  }

  /** Must be called before a text is read. */
  spendReading(text: string): void {
    this.spend(text.length >> 5)
  }

  /** Must be called before a text is searched in another. The worst case is the product of their lengths. */
  spendSearch(text: string, wanted: string): void {
    this.spend(Math.floor((text.length * wanted.length) / 1000))
  }

  text(made: string): string {
    this.reserveText(made.length)
    return made
  }

  join(parts: readonly string[], separator: string): string {
    let length = separator.length * Math.max(0, parts.length - 1)
    for (const part of parts) length += part.length
    this.reserveText(length)
    return parts.join(separator)
  }

  integer(made: bigint): bigint {
    if (made < integerBound && made > -integerBound) return made
    throw this.tooManyDigits()
  }

  integerText(integer: bigint): string {
    const text = integer.toString()
    this.spend(text.length >> 4)
    return text
  }

  /** Must be called before two integers are added or subtracted. */
  spendSum(left: bigint, right: bigint): void {
    if (isSmall(left) && isSmall(right)) return
    this.spend((wordsOf(left) + wordsOf(right)) >> 4)
  }

  /** Must be called before two integers are multiplied or divided. The cost is the product of their sizes. */
  spendProduct(left: bigint, right: bigint): void {
    if (isSmall(left) && isSmall(right)) return
    const [one, other] = [wordsOf(left), wordsOf(right)]
    this.spend(((one + other) >> 4) + ((one * other) >> 6))
  }

  /** Must be called before a power with this many bits is computed. */
  spendPower(bits: number): void {
    const words = bits >> 6
    this.spend((words * words) >> 6)
  }

  tooManyDigits(): ExpressionFailure {
    return new ExpressionFailure(
      `This makes an integer of more than ${maxDigits} digits.`,
      this.place,
      "digits",
    )
  }

  /** Bounds the depth of work that calls itself on the parts of a value. */
  nested<Result>(work: () => Result): Result {
    if (this.#depth >= deepestNesting)
      throw new ExpressionFailure(
        `This value is nested more than ${deepestNesting} levels deep.`,
        this.place,
        "depth",
      )
    this.#depth++
    try {
      return work()
    } finally {
      this.#depth--
    }
  }
}

const isSmall = (integer: bigint): boolean => BigInt.asIntN(64, integer) === integer

/** The number of 64-bit words of an integer. */
const wordsOf = (integer: bigint): number => (isSmall(integer) ? 1 : (integer.toString(16).length >> 4) + 1)
