import type { RecordedResult, ResultCache } from "../../run/ports/recorded-result.ts"

const mostResults = 1_000

/** Keeps results for as long as this process lives; the oldest are dropped first. */
export function createMemoryCache(): ResultCache {
  const results = new Map<string, RecordedResult>()
  return {
    async digest(inputs, folder) {
      const { digestInputs } = await import("./digest.ts")
      return digestInputs(inputs, folder)
    },
    get: async (key) => results.get(key),
    async put(key, result) {
      results.delete(key)
      results.set(key, result)
      for (const oldest of results.keys()) if (results.size > mostResults) results.delete(oldest)
    },
  }
}
