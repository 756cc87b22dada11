import type { Tables } from "../../table.ts"

/** The tables of curl, rsync, ssh and scp, by package and version. `src/world/shell/table.ts` explains their words. */
export const networkTables: Readonly<Record<string, Tables>> = {
  "curl 7.88": {
    curl: {
      whole: true,
      apart: true,
      negates: true,
      options: `--abstract-unix-socket=unclear --alt-svc=judged --anyauth -a,--append --aws-sigv4=text --basic
        --cacert=named --capath=read-below -E,--cert=judged --cert-status --cert-type=text --ciphers=text
        --compressed --compressed-ssh -K,--config=settings --connect-timeout=text --connect-to=judged
        -C,--continue-at=text -b,--cookie=judged -c,--cookie-jar=output --create-dirs --create-file-mode=text
        --crlf --crlfile=named --curves=text -d,--data=judged --data-ascii=judged --data-binary=judged
        --data-raw=text --data-urlencode=judged --delegation=text --digest -q,--disable --disable-eprt
        --disable-epsv --disallow-username-in-url --dns-interface=text --dns-ipv4-addr=text
        --dns-ipv6-addr=text --dns-servers=unclear --doh-cert-status --doh-insecure --doh-url=host
        -D,--dump-header=output --egd-file=unclear --engine=unclear --etag-compare=named --etag-save=write
        --expect100-timeout=text -f,--fail --fail-early --fail-with-body --false-start -F,--form=judged
        --form-escape --form-string=text --ftp-account=text --ftp-alternative-to-user=text --ftp-create-dirs
        --ftp-method=text --ftp-pasv -P,--ftp-port=text --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc
        --ftp-ssl-ccc-mode=text --ftp-ssl-control -G,--get -g,--globoff --happy-eyeballs-timeout-ms=text
        --haproxy-protocol -I,--head -H,--header=judged -h,--help --hostpubmd5=text --hostpubsha256=text
        --hsts=judged --http0.9 -0,--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only
        --ignore-content-length -i,--include -k,--insecure --interface=text -4,--ipv4 -6,--ipv6 --json=judged
        -j,--junk-session-cookies --keepalive-time=text --key=named --key-type=text --krb=unclear
        --libcurl=output --limit-rate=text -l,--list-only --local-port=text -L,--location --location-trusted
        --login-options=text --mail-auth=text --mail-from=text --mail-rcpt=text --mail-rcpt-allowfails
        -M,--manual --max-filesize=text --max-redirs=text -m,--max-time=text --metalink! --negotiate
        -n,--netrc --netrc-file=named --netrc-optional -:,--next --no-alpn -N,--no-buffer --no-clobber
        --no-keepalive --no-npn --no-progress-meter --no-sessionid --noproxy=text --ntlm --ntlm-wb!
        --oauth2-bearer=text -o,--output=judged --output-dir=write-below -Z,--parallel --parallel-immediate
        --parallel-max=text --pass=text --path-as-is --pinnedpubkey=unclear --post301 --post302 --post303
        --preproxy=host -#,--progress-bar --proto=text --proto-default=unclear --proto-redir=unclear
        -x,--proxy=host --proxy-anyauth --proxy-basic --proxy-cacert=named --proxy-capath=read-below
        --proxy-cert=judged --proxy-cert-type=text --proxy-ciphers=text --proxy-crlfile=named --proxy-digest
        --proxy-header=judged --proxy-insecure --proxy-key=named --proxy-key-type=text --proxy-negotiate
        --proxy-ntlm --proxy-pass=text --proxy-pinnedpubkey=unclear --proxy-service-name=text
        --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --proxy-tls13-ciphers=text
        --proxy-tlsauthtype=text --proxy-tlspassword=text --proxy-tlsuser=text --proxy-tlsv1
        -U,--proxy-user=text --proxy1.0=host -p,--proxytunnel --pubkey=named -Q,--quote=text --random-file=named
        -r,--range=text --rate=text --raw -e,--referer=text -J,--remote-header-name -O,--remote-name
        --remote-name-all -R,--remote-time --remove-on-error -X,--request=text --request-target=text
        --resolve=judged --retry=text --retry-all-errors --retry-connrefused --retry-delay=text
        --retry-max-time=text --sasl-authzid=text --sasl-ir --service-name=text -S,--show-error -s,--silent
        --socks4=host --socks4a=host --socks5=host --socks5-basic --socks5-gssapi --socks5-gssapi-nec
        --socks5-gssapi-service=text --socks5-hostname=host -Y,--speed-limit=text -y,--speed-time=text --ssl
        --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort
        -2,--sslv2 -3,--sslv3 --stderr=output --styled-output --suppress-connect-headers --tcp-fastopen
        --tcp-nodelay -t,--telnet-option=unclear --tftp-blksize=text --tftp-no-options -z,--time-cond=judged
        --tls-max=text --tls13-ciphers=text --tlsauthtype=text --tlspassword=text --tlsuser=text -1,--tlsv1
        --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace=output --trace-ascii=output --trace-time
        --unix-socket=unclear -T,--upload-file=judged --url=judged --url-query=judged -B,--use-ascii
        -u,--user=text -A,--user-agent=text -v,--verbose -V,--version -w,--write-out=judged --xattr`,
      operands: "judged*",
    },
  },
  "rsync 3.5": {
    rsync: {
      whole: true,
      options: `-v,--verbose --info=text --debug=text --stderr=text -q,--quiet --no-motd -c,--checksum -a,--archive
        -r,--recursive --i-r,--inc-recursive --no-inc-recursive --no-i-r -R,--relative --no-implied-dirs
        -b,--backup --backup-dir=judged --suffix=unclear -u,--update --inplace --append --append-verify
        -d,--dirs --old-dirs --old-d --mkpath -l,--links -L,--copy-links --copy-unsafe-links --safe-links
        --insecure-links --confine-root=text --munge-links -k,--copy-dirlinks -K,--keep-dirlinks
        -H,--hard-links -p,--perms -E,--executability --chmod=text -A,--acls -X,--xattrs -o,--owner -g,--group
        --devices --copy-devices --write-devices --specials --drop-D -D -t,--times -U,--atimes --open-noatime
        -N,--crtimes -O,--omit-dir-times -J,--omit-link-times --super --fake-super -S,--sparse --preallocate
        -n,--dry-run -W,--whole-file --no-W,--no-whole-file --checksum-choice=text -x,--one-file-system
        -B,--block-size=text -e,--rsh=run --rsync-path=run --existing --ignore-non-existing --ignore-existing
        --remove-source-files --del --delete --delete-before --delete-during --delete-delay --delete-after
        --delete-excluded --ignore-missing-args --delete-missing-args --ignore-errors --force
        --max-delete=text --max-size=text --min-size=text --max-alloc=text --partial --partial-dir=judged
        --delay-updates -m,--prune-empty-dirs --numeric-ids --usermap=text --groupmap=text --chown=text
        --timeout=text --contimeout=text -I,--ignore-times --size-only --modify-window=text
        -T,--temp-dir=judged -y,--fuzzy --compare-dest=read-below --copy-dest=read-below
        --link-dest=read-below -z,--compress --compress-choice=text --compress-level=text
        --compress-threads=text --skip-compress=text -C,--cvs-exclude -f,--filter=unclear -F! --exclude=text
        --exclude-from=read --include=text --include-from=read --files-from=names -0,--from0 --old-args
        -s,--secluded-args --trust-sender --copy-as=unclear --address=text --port=text --sockopts=unclear
        --blocking-io --outbuf=text --stats -8,--8-bit-output -h,--human-readable --progress -P
        -i,--itemize-changes -M,--remote-option=unclear --out-format=text --log-file=judged
        --log-file-format=text --password-file=read --early-input=read --list-only --bwlimit=text
        --stop-after=text --stop-at=text --fsync --write-batch=unclear --only-write-batch=unclear
        --read-batch=unclear --protocol=text --iconv=text --checksum-seed=text -4,--ipv4 -6,--ipv6
        -V,--version -h,--help`,
      operands: "judged*",
    },
  },
  "openssh-client 9.2": {
    ssh: {
      stops: true,
      options: `-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B=text -b=text -c=text -D=text
        -E=write -e=text -F=settings -I=run -i=read -J=judged -L=text -l=text -m=text -O=text -o=judged -p=text -Q=text
        -R=text -S=unclear -W=text -w=text`,
      operands: "judged*",
    },
    scp: {
      stops: true,
      options: `-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v -c=text -D=run -F=settings -i=read -J=judged -l=text -o=judged
        -P=text -S=run -X=text`,
      operands: "judged*",
    },
  },
}
