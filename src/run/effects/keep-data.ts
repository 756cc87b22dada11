import { HistoryBlobs, type ProviderDataReference } from "../log/history-blobs.ts"
import type { Drive } from "./drive-view.ts"

/**
 * Stores the data of a reply for its provider, byte for byte, before an event names it. Data with a secret in
 * plain text is not stored: the provider would refuse it after redaction.
 */
export async function storeProviderData(
  drive: Drive,
  text: string,
): Promise<ProviderDataReference | undefined> {
  const { models, store } = drive.environment
  if (models.keepsSecrets() && models.redact(text) !== text) return undefined
  const blob = await store.putBlob(drive.state.run, text)
  const reference = { blob, size: Buffer.byteLength(text) }
  drive.blobs ??= new HistoryBlobs()
  drive.blobs.add(reference, JSON.parse(text))
  return reference
}
