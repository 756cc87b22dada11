import type * as Crypto from "node:crypto"

// Loaded at first use: otherwise importing `cadre` would take a twentieth longer.
let crypto: typeof Crypto | undefined

const load = (): typeof Crypto => {
  crypto ??= process.getBuiltinModule("node:crypto")
  return crypto
}

export const createHash = (algorithm: string): Crypto.Hash => load().createHash(algorithm)

/** Hashes in one call, which takes half the time of `createHash`. */
export const hash = (algorithm: string, data: string | Uint8Array, encoding?: "hex" | "base64url"): string =>
  load().hash(algorithm, data, encoding)

export const makeRandomBytes = (size: number): Buffer => load().randomBytes(size)

export const makeRandomUuid = (): string => load().randomUUID()
