type ProgressParams = {
  readonly progressToken: string | number
  readonly progress: number
  readonly message: string
}

/** Sends progress that only grows, as the protocol asks. A host that has gone is not told, and the run goes on. */
export function createProgress(
  progressToken: string | number,
  notify: (params: ProgressParams) => Promise<void>,
): (text: string) => void {
  let progress = 0
  return (message) => {
    progress++
    notify({ progressToken, progress, message }).catch(() => {})
  }
}
