import { randomUUID } from "node:crypto"
import fs from "node:fs"

/**
 * Definitions that a command makes where no mount can prevent it. The result moves each aside, under a name that no format
 * reads, and tells where: nothing is removed, for it may be somebody else's.
 */
export function watchDefinitions(definitions: () => readonly string[]): () => readonly string[] {
  const before = new Set(definitions())
  return () =>
    definitions()
      .filter((file) => !before.has(file))
      .flatMap((file) => {
        const aside = `${file}.refused-${randomUUID().slice(0, 8)}`
        // Found under two names, it is gone after the first.
        if (!fs.lstatSync(file, { throwIfNoEntry: false })) return []
        fs.renameSync(file, aside)
        return [aside]
      })
}
