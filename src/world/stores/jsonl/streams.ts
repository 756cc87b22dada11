/** Open `receive` and `follow` streams. All of them end when the store is closed. */
export class Streams {
  readonly #controllers = new Set<AbortController>()

  open(signal: AbortSignal): { readonly signal: AbortSignal; close(): void } {
    const controller = new AbortController()
    const abort = () => controller.abort()
    this.#controllers.add(controller)
    signal.addEventListener("abort", abort)
    if (signal.aborted) abort()
    return {
      signal: controller.signal,
      close: () => {
        this.#controllers.delete(controller)
        signal.removeEventListener("abort", abort)
      },
    }
  }

  end(): void {
    for (const controller of this.#controllers) controller.abort()
  }
}
