import type { ModelSource } from "../../agent/model.ts"

/** A reply's text while it comes, without keys: what may be the beginning of one is held back until that is clear. */
export class LiveText {
  readonly #models: Pick<ModelSource, "redact" | "unfinished">
  readonly #show: (text: string) => void
  #held = ""

  constructor(models: Pick<ModelSource, "redact" | "unfinished">, show: (text: string) => void) {
    this.#models = models
    this.#show = show
  }

  add(text: string): void {
    const { redact, unfinished } = this.#models
    const whole = this.#held + text
    const cut = whole.length - (unfinished?.(whole) ?? 0)
    const [shown, held] = [redact(whole.slice(0, cut)), whole.slice(cut)]
    // A key whose end may be the beginning of another must not be cut there.
    const isWhole = held === "" || shown + redact(held) === redact(whole)
    this.#held = isWhole ? held : whole
    if (isWhole && shown !== "") this.#show(shown)
  }

  /** No more will come. */
  end(): void {
    const rest = this.#models.redact(this.#held)
    this.#held = ""
    if (rest !== "") this.#show(rest)
  }
}
