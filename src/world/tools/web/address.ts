import type { BlockList } from "node:net"

/**
 * A host as rules and grants name it: lower case, without a dot at its end and without the brackets of an
 * IPv6 address.
 */
export function toPlainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.+$/, "")
}

/** The reason why a host counts as private by its name or number; otherwise undefined. */
export async function findPrivateHostReason(host: string): Promise<string | undefined> {
  const { isIP } = await import("node:net")
  if (isIP(host)) return (await isPublic(host)) ? undefined : `the address ${host} is not public`
  if (!host.includes(".")) return `${JSON.stringify(host)} is a name in a private network`
  const suffix = privateSuffixes.find((name) => host.endsWith(name))
  return suffix === undefined ? undefined : `names that end in "${suffix}" belong to private networks`
}

const privateSuffixes = [
  ".localhost",
  ".local",
  ".internal",
  ".intranet",
  ".lan",
  ".home.arpa",
  ".corp",
  ".home",
  ".onion",
]

/** True if a numeric address belongs to the public internet. */
export async function isPublic(address: string): Promise<boolean> {
  const { isIP } = await import("node:net")
  lists ??= await makeLists()
  const plain = address.replace(/%.*$/, "")
  switch (isIP(plain)) {
    case 4:
      return !lists.four.check(plain, "ipv4")
    case 6:
      // Addresses that are not assigned, or that contain an IPv4 address, are not public.
      return lists.global.check(plain, "ipv6") && !lists.six.check(plain, "ipv6")
    default:
      return false
  }
}

let lists: { readonly four: BlockList; readonly six: BlockList; readonly global: BlockList } | undefined

async function makeLists() {
  const { BlockList } = await import("node:net")
  const listOf = (networks: string, family: "ipv4" | "ipv6") => {
    const list = new BlockList()
    for (const network of networks.trim().split(/\s+/)) {
      const [address, length] = network.split("/")
      list.addSubnet(address!, Number(length), family)
    }
    return list
  }
  return {
    four: listOf(notPublicFour, "ipv4"),
    six: listOf("2001::/23 2001:db8::/32 2002::/16 3fff::/20", "ipv6"),
    global: listOf("2000::/3", "ipv6"),
  }
}

/** The special addresses of the IANA registry, multicast, and reserved ones. */
const notPublicFour = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`

/** Parses the address of a page that a model gives, or says what is wrong with it. */
export function parseUrl(text: string, base?: URL): { url: URL } | { problem: string } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the parser drops some of them, and what is judged must be what was written
  if (/[\u0000-\u0020\u007f\\]/.test(text.trim()))
    return { problem: "The address has a space, a backslash or a control character in it." }
  if (!URL.canParse(text, base?.href))
    return { problem: `${JSON.stringify(text.slice(0, 200))} is not the address of a page.` }
  const url = new URL(text, base?.href)
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { problem: `Only http and https are supported, not ${url.protocol.slice(0, 30)}` }
  if (url.username !== "" || url.password !== "")
    return { problem: `The address has a user name before the host ${url.host}. Leave it out.` }
  return { url }
}
