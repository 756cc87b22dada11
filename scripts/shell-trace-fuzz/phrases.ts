/** Whole commands of programs whose words mean something only together. They are used as they are, or with a word more. */
export const phrases: Readonly<Record<string, readonly string[]>> = {
  find: lines(`. -name *.txt
    . -type f -exec cat {} +
    sub -exec grep one {} ;
    . -maxdepth 1 -name k* -delete
    . -newer a.txt -print
    . -samefile secret.txt
    . -fprint out.txt
    . -fprintf out.txt %p
    . -name b.txt -execdir cp {} new.txt ;
    -L . -type f -exec wc -l {} ;
    sub ../o -type f -print0`),
  dd: lines(`if=a.txt of=out.txt
    if=secret.txt bs=1 count=3
    of=keep.txt count=0
    if=a.txt of=sub/new.txt conv=notrunc status=none`),
  tar: lines(`cf out.tar a.txt sub
    xf a.tar
    tf a.tar
    xzf a.tgz -C sub
    czf out.tgz sub
    -cf out.tar -C sub c.txt
    -cf out.tar -C sub c.txt -C .. a.txt
    -xf a.tar --one-top-level=dir
    rf a.tar secret.txt
    -tvf a.tgz
    -cf out.tar --exclude=*.txt sub
    xf a.tar a.txt -O
    --delete -f a.tar a.txt
    -df a.tar`),
  sed: lines(`-n 1p a.txt
    s/one/uno/ a.txt secret.txt
    -i s/one/uno/ keep.txt
    -i.bak s/k/x/ keep.txt
    -e p -e d a.txt
    -n /one/,$p b.txt
    -s -n $= a.txt b.txt
    --quiet --expression=p a.txt`),
  awk: lines(`{print} a.txt
    -F, {print$1} a.txt secret.txt
    NR==1 b.txt
    -v x=1 {print;x} x=2 a.txt`),
  jq: lines(`. data.json
    -r .b data.json
    -n --arg x y $x
    -s . data.json data.json
    --slurpfile v data.json $v a.txt
    -n --rawfile v secret.txt $v`),
  xargs: lines(`-a names.txt cat
    echo
    -n1 rm`),
  env: lines(`cat a.txt
    A=1 cat secret.txt
    -i touch new.txt
    -C sub cat c.txt
    --chdir=.. ls
    -u HOME sort -o out.txt a.txt
    B=2 A=1`),
  timeout: lines(`2 cat a.txt
    -s KILL 2 touch new.txt
    --signal=9 -k 1 2 sort b.txt
    1s rm keep.txt`),
  nice: lines(`cat a.txt
    -n 5 touch new.txt
    -5 cat b.txt
    --adjustment=3 rm a.txt`),
  nohup: lines(`cat a.txt
    touch new.txt`),
  stdbuf: lines(`-oL cat a.txt
    -i 0 -o 0 tee new.txt`),
  setsid: lines(`-w cat a.txt
    touch new.txt`),
  ionice: lines(`-c 3 cat a.txt
    -c 2 -n 7 touch new.txt`),
  time: lines(`cat a.txt
    -p touch new.txt`),
  flock: lines(`lockfile cat a.txt
    -n sub touch new.txt
    a.txt true
    -w 1 lockfile rm b.txt`),
  taskset: lines(`1 cat a.txt
    -c 0 touch new.txt`),
  chrt: lines("-o 0 cat a.txt"),
  command: lines(`cat a.txt
    -v cat
    -p touch new.txt`),
  builtin: lines(`echo a
    printf x`),
  exec: lines(`cat a.txt
    -a n touch new.txt`),
  strace: lines(`-o out.txt cat a.txt
    -f cat a.txt`),
  date: lines(`+%Y
    -d tomorrow
    -r a.txt
    -u +%s
    -f names.txt
    --reference=secret.txt`),
  bash: lines(`-c cat<a.txt
    -c true
    -ec false
    run.sh`),
  sh: lines(`-c cat<a.txt
    -c true`),
  export: lines(`A=1
    A=1 B=2
    A`),
  read: lines(`x
    -r x y`),
  cd: lines(`sub
    ..
    -P linkdir`),
  expr: lines(`1 + 2
    a : b
    length a.txt`),
  test: lines(`-f a.txt
    -d sub -a -e secret.txt
    a = b
    a.txt -nt b.txt`),
  "[": lines(`-f a.txt ]
    a = b ]`),
  git: lines(`-C sub log --oneline
    --no-pager diff HEAD
    -C sub hash-object ../secret.txt
    -C sub status
    -c user.name=x log -1
    -C sub log -p --output=../out.txt
    -C .. -C w show HEAD`),
  zip: lines(`-q out.zip a.txt
    -r out.zip sub
    -m out.zip b.txt
    -d a.zip a.txt
    -j out.zip sub/c.txt`),
  unzip: lines(`a.zip
    -o a.zip -d sub
    -l a.zip
    -p a.zip a.txt`),
  patch: lines(`-p1 -i fix.patch
    a.txt fix.patch
    -i fix.patch a.txt -o out.txt
    --dry-run -p1 -i fix.patch
    -b -i fix.patch -p1`),
  split: lines(`-l 1 a.txt part_
    -n 2 a.txt sub/p`),
  csplit: lines("a.txt 2"),
  curl: lines(`-s http://localhost:1/
    -o out.txt http://localhost:1/
    -d @secret.txt http://localhost:1/
    --stderr err.txt http://localhost:1/`),
  wget: lines(`-q http://localhost:1/x
    -O out.txt -T 1 -t 1 http://localhost:1/`),
}

function lines(text: string): readonly string[] {
  return text.split("\n").map((line) => line.trim())
}
