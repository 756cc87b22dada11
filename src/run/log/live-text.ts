import type { ModelSource } from "../../agent/model.ts"

/**
 * The text of a reply while it arrives, without keys. Text that may be the beginning of a key is held back
 * until that is clear.
 */
export class LiveText {
  readonly #models: Pick<ModelSource, "redact" | "unfinished">
  readonly #show: (text: string) => void
  #pending = ""

  constructor(models: Pick<ModelSource, "redact" | "unfinished">, show: (text: string) => void) {
    this.#models = models
    this.#show = show
  }

  add(text: string): void {
    const { redact, unfinished } = this.#models
    const whole = this.#pending + text
    const cut = whole.length - (unfinished?.(whole) ?? 0)
    const [shown, rest] = [redact(whole.slice(0, cut)), whole.slice(cut)]
    // The end of one key may be the beginning of another: such a key must not be cut there.
    const isWhole = rest === "" || shown + redact(rest) === redact(whole)
    this.#pending = isWhole ? rest : whole
    if (isWhole && shown !== "") this.#show(shown)
  }

  /** Shows the rest; no more text will come. */
  end(): void {
    const rest = this.#models.redact(this.#pending)
    this.#pending = ""
    if (rest !== "") this.#show(rest)
  }
}
