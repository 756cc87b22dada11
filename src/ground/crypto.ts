import type * as Crypto from "node:crypto"

// Loaded at first use: importing `cadre` would take a twentieth longer with it.
let crypto: typeof Crypto | undefined

const loaded = (): typeof Crypto => {
  crypto ??= process.getBuiltinModule("node:crypto")
  return crypto
}

export const createHash = (algorithm: string): Crypto.Hash => loaded().createHash(algorithm)

/** At once, which takes half the time of `createHash`. */
export const hash = (algorithm: string, data: string | Uint8Array, encoding?: "hex" | "base64url"): string =>
  loaded().hash(algorithm, data, encoding)

export const randomBytes = (size: number): Buffer => loaded().randomBytes(size)

export const randomUUID = (): string => loaded().randomUUID()
