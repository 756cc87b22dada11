import { type Kind, kinds } from "./form.ts"
import { atoms, larger, ofAnyKind } from "./forms.ts"
import type { Random } from "./random.ts"
import { variablesOf } from "./variables.ts"

/** Makes expressions of Python, of a kind that is asked for or, now and then, of any other. */
export class Maker {
  readonly #random: Random
  /** Names that loops around the place give values, with their kinds. */
  #loops: { readonly name: string; readonly kind: Kind }[] = []

  constructor(random: Random) {
    this.#random = random
  }

  /** `size` is how much may be in it. */
  make(kind: Kind, size: number): string {
    const { pick, chance } = this.#random
    if (chance(0.03)) return this.make(pick(kinds), size)
    const forms = size <= 0 ? atoms[kind] : [...atoms[kind], ...larger[kind], ...ofAnyKind, ...larger[kind]]
    const text = pick(forms)(this, size - 1, kind)
    return size > 0 && chance(0.25) ? `(${text})` : text
  }

  one<Item>(items: readonly Item[]): Item {
    return this.#random.pick(items)
  }

  chance(share: number): boolean {
    return this.#random.chance(share)
  }

  /** None to `most` of them, with commas between them. */
  some(kind: Kind, size: number, most = 3): string {
    return Array.from({ length: this.#random.below(most + 1) }, () => this.make(kind, size)).join(", ")
  }

  variable(kind: Kind): string {
    const own = this.#loops.filter((loop) => loop.kind === kind).map(({ name }) => name)
    return this.one([...own, ...own, ...variablesOf[kind]])
  }

  /** `for … in … if …`, and what stands before it, which finds the names. */
  loop(size: number, element: (maker: Maker) => string): string {
    const before = this.#loops
    const clauses = Array.from({ length: this.chance(0.25) ? 2 : 1 }, () => {
      const clause = this.#clause(size)
      this.#loops = [...this.#loops, ...clause.names]
      const test = this.chance(0.4) ? ` if ${this.make("bool", size - 1)}` : ""
      return `${clause.text}${test}`
    })
    const text = `${element(this)} ${clauses.join(" ")}`
    this.#loops = before
    return text
  }

  #clause(size: number): { text: string; names: { name: string; kind: Kind }[] } {
    const [one, other] = [this.one(["x", "y", "k", "n"]), this.one(["v", "w", "s"])]
    const names = (...kinds: readonly Kind[]) =>
      kinds.map((kind, index) => ({ name: index === 0 ? one : other, kind }))
    const items = (kind: Kind) => this.make(kind, size - 1)
    switch (this.#random.below(8)) {
      case 0:
        return { text: `for ${one}, ${other} in enumerate(${items("texts")})`, names: names("int", "text") }
      case 1:
        return { text: `for ${one}, ${other} in ${items("dict")}.items()`, names: names("text", "int") }
      case 2:
        return {
          text: `for (${one}, ${other}) in zip(${items("ints")}, ${items("texts")})`,
          names: names("int", "text"),
        }
      case 3:
        return {
          text: `for ${one}, *${other} in [${items("ints")}, ${items("ints")}]`,
          names: names("int", "ints"),
        }
      case 4:
        return { text: `for ${one} in ${items("text")}`, names: names("text") }
      case 5:
        return { text: `for ${one} in ${items("texts")}`, names: names("text") }
      case 6:
        return { text: `for ${one} in range(${this.one(["0", "1", "3", "4", "n1"])})`, names: names("int") }
      default:
        return { text: `for ${one} in ${items("ints")}`, names: names("int") }
    }
  }
}
