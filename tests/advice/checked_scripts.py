"""Small scripts in the styles that people write, for comparing verdicts; some are for other programs than dealer."""

CONDITIONS = """\
hcp(north) >= 15 and hcp(north) <= 17 and shape(north, any 4333 + any 4432 + any 5332)
spades(south) == 5 && hcp(south) >= 11
!(hearts(west) > 4) || hcp(west) < 6
hcp(north, spades) + hcp(north, hearts) > 10
shape(east, 5xxx + x5xx - any 5422)
shape(east, 5xxx, x5xx)
shape(east,any 4441 any 5440)
hascard(west, AS) and not hascard(east, KS)
top3(north, clubs) >= 2 and loser(south) <= 5
controls(north) + controls(south) > 8
(hcp(north) > 20 ? spades(south) : hearts(south)) > 3
hcp(north) % 2 == 0
quality(north, spades) > 400 or cccc(south) > 1200
score(vul, x4S, 9 + rnd(3)) > 0
imps(score(nv, x3N, 9) - 420) > -20
(spades(north)==4) + (hearts(north)==4) == 1
pt5(north) + pt9(west, clubs) > 3
hcp(north) > 12 // opening
hcp(north) > 12 # opening
hcp(north) > 12.5
hcp(north) => 12
hcp(north) = 12
hcp(n) > 12
hcp(North) > 12
HCP(north) > 12
hcp(north,S) > 4
hcp(ns) > 20
hpc(north) > 4
bal(north)
shape(north, 5-3-3-2)
shape(north, 5XXX)
shape(north, 5333)
shape(north, any4333)
shape{north, 5M(332)}
shape{north, 5+Mxxx}
hascard(north, SA)
hcp(north) between 12 and 14
12 <= hcp(north) <= 14
hcp(north) > 12 and
(hcp(north) > 12
hcp(north) > 12)
hcp(north) > 12;
hcp(north) ≥ 12
hcp(north) > – 3
ltc(north) < 7
ltc(north) < 6.5
par(NS) > 400
dds(north, spades) > 9
opc(NS) > 25
zar(north) > 26
fit(NS) > 8
min(hcp(north), hcp(south)) > 10
score(vul, x4Sx, 9) > 0
score(vul, 4S, 9) > 0
usereval(3, NS, 0) > 20
-hcp(north) < 3
hcp(north) - -3 > 4
$0 > 3
hcp($seat) > 3
/* one /* two */ three */ 1
"quoted"
hcp(north) > 12 'note'
1 and 5332
tricks(south, 4) > 3
""".splitlines()

SCRIPTS = [condition + "\n" for condition in CONDITIONS] + [
    "",
    "1",
    "1 // comment",
    "# only a comment\n",
    '#include "script/weak"\nweak\n',
    'a = hcp(north)\nb = a > 12\ncondition b\naction average a, frequency "x" (a, 0, 20)\n',
    "a = 3\na = 4\na\n",
    "a = 3\na = 3\na\n",
    "b = a\na = 3\nb\n",
    "a = b and 1\n1\n",
    "s = spades(north)\nh = hearts(north)\nS = 3\ns > h\n",
    "AK = 3\nAK > 2\n",
    "KS = 3\nKS > 2\n",
    "x123 = 3\n1\n",
    "x3N = 3\n1\n",
    "z3N = 3\nz3N\n",
    "deal = 3\npar = 4\ntitle = 5\nboth = 6\nseed = 7\ndeal + par + title + both + seed\n",
    "opener = hcp(north) > 12\nopener\n",
    "north2 = hcp(north)\nhcp2 = 3\nnorth2 > hcp2\n",
    "hcp = 3\n1\n",
    "none = 3\n1\n",
    "all = 3\nall\n",
    "ns = 1\n1\n",
    "vul = 1\n1\n",
    "_a = 1\n_a\n",
    "2nd = 1\n1\n",
    "dealer north\nvulnerable ew\nproduce 5\ngenerate 100\n1\n",
    "dealer N\n1\n",
    "vulnerable both\n1\n",
    "vulnerable NS\n1\n",
    "vulnerable Ns\n1\n",
    "produce 5.5\n1\n",
    "produce = 5\n1\n",
    "produce -5\n1\n",
    "generate -1234\n1\n",
    "produce five\n1\n",
    "seed 5\n1\n",
    'title "x"\n1\n',
    "startboard 5\n1\n",
    "predeal north SAKQ, HA\n1\n",
    "predeal north AS\n1\n",
    "predeal north S10\n1\n",
    "predeal north SQK\n1\n",
    "predeal north sakq\n1\n",
    "predeal north SA south SA\n1\n",
    "predeal north SAKQJT98765432, HA\n1\n",
    "predeal north SAKQ.H.D.C\n1\n",
    "predeal spades(north) == 5\n1\n",
    "predeal spades(north) == 14\n1\n",
    "predeal spades(north) == 7 spades(south) == 7\n1\n",
    "predeal spades(north) == 0005\n1\n",
    "pointcount 6 4 2 1\nhcp(north) > 12\n",
    "pointcount 4.5 3 1.5\n1\n",
    "pointcount 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n1\n",
    "altcount 0 1 1 1\nhcp(north) > 2\n",
    "altcount 9 1 1\ntop5(north) > 1\n",
    "altcount 11 1 1\nc13(north) > 1\n",
    "altcount 8 9 9 9\nhcp(north) > 1\n",
    "action printall, printew, printpbn, printcompact, printoneline\n",
    'action print(north, south), printes("a", hcp(north), \\n)\n',
    'action printes "a"\n',
    "action printoneline(hcp(north)), printcompact(1)\n",
    "action printns\n",
    "action printlin\n",
    "action printside(NS)\n",
    "action printrpt(north, deal)\n",
    'action bktfreq "x" (hcp(north), 0, 20, 4)\n',
    "action export(north)\n",
    'action average "x" 1,\n',
    'action average "x" 1, ,printall\n',
    'action average "x" 1 printall\n',
    "action ,printall\n",
    "action\n",
    'average "x" 1\n',
    "action average 'x' 1\n",
    'action average "x 1\n',
    'action average "100 %d" 100 * (hcp(north) > 12)\n',
    'action average "two\nlines" 1\n',
    "action frequency (hcp(north), 0, 10, hcp(south), 0, 10)\n",
    "action frequency (hcp(north), 5, 1)\n",
    "action frequency (hcp(north), 5, 4)\n",
    "action frequency (hcp(north), 0, 3, hcp(north), 5, 4)\n",
    "action frequency (hcp(north), 0 - 3, 10)\n",
    "action frequency hcp(north), 0, 10\n",
    "action evalcontract\n",
    "action evalcontract(NS, x4S, vul)\n",
    "action average tricks(north, spades)\n",
    "action average 5 / 0\n",
    "action average 1 / hcp(north)\n",
    "hcp(north) > 3\nhcp(south) > 3\naction printall\naction average 1\n",
    "condition\nhcp(north) > 3 and\nhcp(south) > 3\n",
    "condition hcp(north) > 3\r\nproduce 5\r\n",
    "condition hcp(north) > 3\rproduce 5\n",
    "  # indented\n1\n",
    "#hash\n1\n",
    "/* é – ≤ */ 1\n",
    "/* open\n",
    "hcp(north) > 3\n\f\n",
    'condition 1\nproduce 30\naction\n#printoneline,\naverage "x" 100 * (hcp(north) > 12),\n',
    "# alias: Demo\n# dealer-position: S\n/*@chat\n--- Title 2!C\n@chat*/\ndealer south\nhcp(south) > 12\n",
    "roll = (rnd(1000) % 1000 + 1000) % 1000\nweak = hcp(south) < 9 and roll < 22\nweak\n",
    "keep25 = hascard(west, 2C)\nhcp(north) > 15 and keep25\n",
    "minor = clubs(north) > 4 or diamonds(north) > 4\n\nminor ? hcp(north) > 10 : hcp(north) > 12\n",
    "x = " + "(" * 150 + "1" + ")" * 150 + "\nx\n",
    'level "weak" hcp(south) < 9, "strong" hcp(south) > 15\n',
    "x = 99999999999\naction average x\n",
    "x = " + "a" * 3000 + "\n1\n",
    "condition all = 3\n",
]
