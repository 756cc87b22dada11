import type { ResultCache } from "../../run/ports/recorded-result.ts"

/**
 * Results of agents with `cache` in a folder, a file each, for this user alone. The oldest go when there are a thousand,
 * and every one after thirty days. Nothing is loaded or created before the first use.
 */
export function fileCache(folder: string): ResultCache {
  let opened: Promise<ResultCache> | undefined
  const open = () => {
    opened ??= import("./results-folder.ts").then(({ resultsFolder }) => resultsFolder(folder))
    return opened
  }
  return {
    digest: async (...given) => (await open()).digest(...given),
    get: async (key) => (await open()).get(key),
    put: async (...given) => (await open()).put(...given),
  }
}
