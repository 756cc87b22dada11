import { Failure, maxDepth } from "./failure.ts"

/** What one evaluation or rendering may take. */
export interface Limits {
  /** Nodes evaluated, rounds of loops, items looked at, and one more for every 64 characters made; more for large integers. Default: 1,000,000. */
  readonly steps: number
  /** Of any one text, and of the whole output, in UTF-16 units. Default: 1,000,000. */
  readonly characters: number
  /** Of any one list or range. Default: 100,000. */
  readonly items: number
}

const defaultLimits: Limits = { steps: 1_000_000, characters: 1_000_000, items: 100_000 }

/** Python's own bound for turning an integer into text. */
const maxDigits = 4300
const integerBound = 10n ** BigInt(maxDigits)

/** Counts what an evaluation takes, and knows where in the text it is. */
export class Meter {
  readonly limits: Limits
  /** The offset that a failure is reported at. */
  place = 0
  #stepsLeft: number
  #depth = 0

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...defaultLimits, ...limits }
    this.#stepsLeft = this.limits.steps
  }

  failure(message: string): Failure {
    return new Failure(message, this.place)
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft < 0)
      throw new Failure(`This takes more than ${this.limits.steps} steps.`, this.place, "steps")
  }

  /** To be asked before a text of this length is made. */
  reserveText(length: number): void {
    if (length > this.limits.characters)
      throw new Failure(
        `This makes a text of more than ${this.limits.characters} characters.`,
        this.place,
        "characters",
      )
    this.spend(length >> 6)
  }

  /** To be asked before a list of this length is made. */
  reserveItems(count: number): void {
    if (count > this.limits.items)
      throw new Failure(`This makes a list of more than ${this.limits.items} items.`, this.place, "items")
    this.spend(count)
  }

  /** To be asked before a text is gone through. */
  spendReading(text: string): void {
    this.spend(text.length >> 5)
  }

  /** To be asked before one text is looked for in another: the worst case is the product of their lengths. */
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

  /** To be asked before two integers are added or subtracted. */
  spendSum(left: bigint, right: bigint): void {
    if (isSmall(left) && isSmall(right)) return
    this.spend((wordsOf(left) + wordsOf(right)) >> 4)
  }

  /** To be asked before two integers are multiplied or divided: each part of one meets each part of the other. */
  spendProduct(left: bigint, right: bigint): void {
    if (isSmall(left) && isSmall(right)) return
    const [one, other] = [wordsOf(left), wordsOf(right)]
    this.spend(((one + other) >> 4) + ((one * other) >> 6))
  }

  /** To be asked before an integer of so many bits is made by multiplying. */
  spendPower(bits: number): void {
    const words = bits >> 6
    this.spend((words * words) >> 6)
  }

  tooManyDigits(): Failure {
    return new Failure(`This makes an integer of more than ${maxDigits} digits.`, this.place, "digits")
  }

  /** For work that calls itself on the parts of a value. */
  nested<Result>(work: () => Result): Result {
    if (this.#depth >= maxDepth)
      throw new Failure(`This value is nested more than ${maxDepth} levels deep.`, this.place, "depth")
    this.#depth++
    try {
      return work()
    } finally {
      this.#depth--
    }
  }
}

const isSmall = (integer: bigint): boolean => BigInt.asIntN(64, integer) === integer

/** How many words of 64 bits an integer takes. */
const wordsOf = (integer: bigint): number => (isSmall(integer) ? 1 : (integer.toString(16).length >> 4) + 1)
