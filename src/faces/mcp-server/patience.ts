/** The longest time in milliseconds that a call takes, with room for the answer: the first host gives up after 60 s. */
const usualPatience = 45_000

/** The same for hosts that wait longer while a call reports its progress. */
const longPatience = 270_000

/**
 * Hosts that were seen to wait for a call of over 280 s that reports its progress, by the name that they connect with.
 * As of 2026-11-15: Claude Code 2.1.325 waited for 330 s.
 */
const patientHosts: ReadonlySet<string> = new Set(["claude-code"])

/** Milliseconds until a call of this host has to be answered. */
export const findPatience = (host: string | undefined, progress: "reported" | "unwanted"): number =>
  progress === "reported" && host !== undefined && patientHosts.has(host) ? longPatience : usualPatience
