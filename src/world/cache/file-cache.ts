import type { ResultCache } from "../../run/ports/recorded-result.ts"

/**
 * Keeps the results of agents with `cache` in a folder, one file each, for this user alone. Beyond a thousand
 * results the oldest are removed, and every result is removed after thirty days. Nothing is loaded or created
 * before the first use.
 *
 * @example
 * ```ts
 * import { createRuntime, defineAgent, fileCache } from "cadre"
 *
 * const translator = defineAgent({ name: "translator", instructions: "Translate to French.", cache: true })
 * const runtime = createRuntime({ agents: [translator], cache: fileCache(".cache/results") })
 * const { cached } = await runtime.run("translator", "Good morning.").done
 * ```
 */
export function fileCache(folder: string): ResultCache {
  let cache: Promise<ResultCache> | undefined
  const open = () => {
    cache ??= import("./results-folder.ts").then(({ openResultsFolder }) => openResultsFolder(folder))
    return cache
  }
  return {
    digest: async (...values) => (await open()).digest(...values),
    get: async (key) => (await open()).get(key),
    put: async (...values) => (await open()).put(...values),
  }
}
