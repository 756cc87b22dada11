import { Held, type KeptData } from "../log/held.ts"
import type { Drive } from "./drive-view.ts"

/**
 * Keeps what a reply left for its provider, byte for byte, before its event names it. What holds a secret in the clear is
 * not kept: taken out of it, the rest would be refused.
 */
export async function keepData(drive: Drive, text: string): Promise<KeptData | undefined> {
  const { models, store } = drive.environment
  if (models.keepsSecrets() && models.redact(text) !== text) return undefined
  const blob = await store.putBlob(drive.state.run, text)
  const kept = { blob, size: Buffer.byteLength(text) }
  drive.blobs ??= new Held()
  drive.blobs.add(kept, JSON.parse(text))
  return kept
}
