/** Requests whose process died. They may have been billed, at most this much. */
export interface Unsettled {
  readonly calls: number
  readonly tokens: number
  readonly cost: number
}

export const addUnsettled = (one: Unsettled | undefined, other: Unsettled | undefined): Unsettled => ({
  calls: (one?.calls ?? 0) + (other?.calls ?? 0),
  tokens: (one?.tokens ?? 0) + (other?.tokens ?? 0),
  cost: (one?.cost ?? 0) + (other?.cost ?? 0),
})

/** Checks the shape, because the value comes from a letter. */
export const isUnsettled = (value: unknown): value is Unsettled =>
  typeof value === "object" &&
  value !== null &&
  ["calls", "tokens", "cost"].every((name) => {
    const count = (value as Record<string, unknown>)[name]
    return typeof count === "number" && Number.isFinite(count) && count >= 0
  })
