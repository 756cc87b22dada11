import type { CheckedInput } from "../begin/inspect.ts"

/** Input that was validated when the model asked for a call, until the call starts. */
export class KeptInputs {
  #checked: Map<string, CheckedInput> | undefined

  keep(call: string, input: CheckedInput): void {
    this.#checked = (this.#checked ?? new Map()).set(call, input)
  }

  take(call: string): CheckedInput | undefined {
    const input = this.#checked?.get(call)
    this.#checked?.delete(call)
    return input
  }
}
