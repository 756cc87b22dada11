import { randomUUID } from "node:crypto"
import fs from "node:fs"

/**
 * Watches for definitions that a command makes where no mount can prevent it. The returned function moves
 * each aside, to a name that no format reads, and returns the new paths. Nothing is deleted, because a file
 * may come from another program.
 */
export async function watchDefinitions(
  definitions: () => Promise<readonly string[]>,
): Promise<() => Promise<readonly string[]>> {
  const before = new Set(await definitions())
  return async () =>
    (await definitions())
      .filter((file) => !before.has(file))
      .flatMap((file) => {
        const aside = `${file}.refused-${randomUUID().slice(0, 8)}`
        // A definition that is listed under two names is gone after the first.
        if (!fs.lstatSync(file, { throwIfNoEntry: false })) return []
        moveAside(file, aside)
        return [aside]
      })
}

/** A link would lead to the same definitions under any name, so a note of its target takes its place. */
function moveAside(file: string, aside: string): void {
  if (!fs.lstatSync(file).isSymbolicLink()) return fs.renameSync(file, aside)
  fs.writeFileSync(aside, `${fs.readlinkSync(file)}\n`, { flag: "wx" })
  fs.unlinkSync(file)
}
