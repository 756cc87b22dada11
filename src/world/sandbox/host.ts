import { randomUUID } from "node:crypto"

/** The mark in the environment of every process that this host starts. */
export const hostValue = randomUUID()
