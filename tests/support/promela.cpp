// SPDX-License-Identifier: Apache-2.0
#include "tests/support/promela.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Promela code of a controller's step; k, o and t are the operation's number, kind and target.
const char *const PromelaRules = R"(
#define PUT 1
#define DEL 2
#define GONE 0
#define GOOD 1
#define BAD 2
#define UPD 3
#define DLT 4
#define HAS(set, n) (((set) >> (n)) & 1)

byte st[N], settled[N];
byte stat[K], kind[K], tgt[K], cover[K];
byte k, o, t, j, n, rest, mine, all, sw;
bool sib, mid, back, no, ok, done;
byte orphans;

inline judge() {
  no = false; rest = 0; all = 0;
  for (j : 0 .. K-1) {
    if
    :: stat[j] == 1 && top[tgt[j]] == top[t] ->
      if
      :: tgt[j] == t && (o == DEL || kind[j] == PUT) -> rest = rest | (1 << j)
      :: tgt[j] == t && !(o == DEL || kind[j] == PUT) -> no = true
      :: HAS(below[t], tgt[j]) && (top[t] == t || mid) -> rest = rest | (1 << j)
      :: HAS(below[t], tgt[j]) && !(top[t] == t || mid) -> no = true
      :: HAS(below[tgt[j]], t) && kind[j] == PUT -> rest = rest | (1 << j)
      :: HAS(below[tgt[j]], t) && kind[j] != PUT -> no = true
      :: else ->
        if
        :: above[tgt[j]] == above[t] && sib -> skip
        :: else -> no = true
        fi
      fi
    :: else -> skip
    fi
  }
}

inline begin() {
  mine = 1 << t;
  for (n : 0 .. N-1) {
    if
    :: st[n] != GONE && (HAS(below[t], n) || HAS(below[n], t)) -> mine = mine | (1 << n)
    :: else -> skip
    fi
  }
  for (n : 0 .. N-1) {
    if
    :: HAS(mine, n) ->
      if
      :: st[n] == GOOD || st[n] == BAD -> settled[n] = st[n]
      :: st[n] == GONE -> settled[n] = 0
      :: else -> skip
      fi;
      st[n] = ((o == DEL && (n == t || HAS(below[t], n))) -> DLT : UPD)
    :: else -> skip
    fi
  }
  all = 0;
  for (j : 0 .. K-1) {
    if
    :: HAS(rest, j) -> all = all | cover[j]; stat[j] = 4; cover[j] = 0; kind[j] = 0; tgt[j] = 0
    :: else -> skip
    fi
  }
  for (j : 0 .. K-1) { /* what others only took over */
    for (n : 0 .. N-1) {
      if
      :: stat[j] == 1 && HAS(mine, n) && n != tgt[j] && !HAS(below[tgt[j]], n) && !HAS(below[n], tgt[j]) ->
        cover[j] = cover[j] & ~(1 << n)
      :: else -> skip
      fi
    }
  }
  stat[k] = 1; kind[k] = o; tgt[k] = t; cover[k] = mine;
  for (j : 0 .. K-1) { all = all & ~cover[j] }
  if
  :: orphans == 1 -> cover[k] = cover[k] | all
  :: else ->
    for (n : 0 .. N-1) {
      if
      :: HAS(all, n) && orphans == 0 && settled[n] == GOOD -> st[n] = GOOD
      :: HAS(all, n) && !(orphans == 0 && settled[n] == GOOD) -> st[n] = BAD
      :: else -> skip
      fi
    }
  fi
}

inline submit() {
  if
  :: above[t] != N && st[above[t]] == GONE -> stat[k] = 5
  :: else ->
    if
    :: st[t] == GONE && o == DEL -> stat[k] = 2
    :: else ->
      judge();
      if
      :: no -> stat[k] = 5
      :: else -> begin()
      fi
    fi
  fi;
  forget()
}

inline finish() {
  mine = cover[k]; o = kind[k]; t = tgt[k];
  stat[k] = (ok -> 2 : 3); kind[k] = 0; tgt[k] = 0; cover[k] = 0;
  for (j : 0 .. K-1) { mine = mine & ~cover[j] }
  for (n : 0 .. N-1) {
    if
    :: HAS(mine, n) ->
      if
      :: HAS(below[n], t) && back -> st[n] = (settled[n] == GOOD -> GOOD : BAD)
      :: !(HAS(below[n], t) && back) && !ok -> st[n] = BAD
      :: else -> st[n] = ((o == DEL && (n == t || HAS(below[t], n))) -> GONE : GOOD)
      fi
    :: else -> skip
    fi
  }
  forget()
}

/* Where a node rests, what it rested in last is not needed. */
inline forget() {
  for (n : 0 .. N-1) {
    if
    :: st[n] < UPD -> settled[n] = 0
    :: else -> skip
    fi
  }
  k = 0; o = 0; t = 0; j = 0; n = 0; rest = 0; mine = 0; all = 0; no = false; ok = false
}
)";

QByteArray array(const char *name, const QList<int> &values)
{
    QByteArray init;
    for (qsizetype i = 0; i < values.size(); ++i)
        init += "  " + QByteArray(name) + '[' + QByteArray::number(i)
            + "] = " + QByteArray::number(values[i]) + ";\n";
    return init;
}

QByteArray joined(const QList<QByteArray> &parts, const char *between)
{
    QByteArray text;
    for (const QByteArray &part : parts)
        text += (text.isEmpty() ? QByteArray() : QByteArray(between)) + part;
    return text;
}

} // namespace

QByteArray PromelaModel::text() const
{
    const qsizetype nodes = parents.size();
    QList<int> above, top, below(nodes, 0);
    for (qsizetype node = 0; node < nodes; ++node) {
        above += parents[node] < 0 ? int(nodes) : parents[node];
        top += parents[node] < 0 ? int(node) : top[parents[node]];
        for (int up = parents[node]; up >= 0; up = parents[up])
            below[up] |= 1 << node;
    }
    QByteArray text = "#define N " + QByteArray::number(nodes) + "\n#define K "
        + QByteArray::number(operations.size()) + "\nbyte above[N], top[N], below[N];\n"
        + PromelaRules;

    text += "init {\n" + array("above", above) + array("top", top) + array("below", below)
        + array("st", QList<int>(nodes, 1));
    text += "  if\n";
    for (qsizetype i = 0; i < switches.size(); ++i) {
        const Switches &with = switches[i];
        const auto set = [](const char *name, int value) {
            return QByteArray(name) + " = " + QByteArray::number(value) + "; ";
        };
        text += "  :: " + set("sw", int(i)) + set("sib", with.siblingsRun)
            + set("mid", with.middleCancels) + set("back", with.ancestorsRestore)
            + set("orphans", with.orphans) + "\n";
    }
    text += "  fi;\n  do\n";
    QList<QByteArray> over;
    for (qsizetype k = 0; k < operations.size(); ++k) {
        const Operation &operation = operations[k];
        const QByteArray number = QByteArray::number(k);
        QByteArray may = "stat[" + number + "] == 0";
        for (qsizetype before = 0; before < k; ++before) {
            if (!operation.client.isEmpty() && operations[before].client == operation.client)
                may += " && stat[" + QByteArray::number(before) + "] != 0";
        }
        QList<QByteArray> ops, targets;
        if (operation.put)
            ops += ":: o = PUT";
        if (operation.remove)
            ops += ":: o = DEL";
        for (const int target : operation.targets)
            targets += ":: t = " + QByteArray::number(target);
        text += "  :: atomic { " + may + " -> k = " + number + "; if " + joined(ops, " ")
            + " fi; if " + joined(targets, " ") + " fi; d_step { submit() } }\n";
        text += "  :: atomic { stat[" + number + "] == 1 -> k = " + number
            + "; if :: ok = true :: ok = false fi; d_step { finish() } }\n";
        over += "stat[" + number + "] > 1";
    }
    text += "  :: atomic { " + joined(over, " && ")
        + " -> d_step { c_code {\n"
          "    int i; printf(\"END %d \", now.sw);\n"
          "    for (i = 0; i < "
        + QByteArray::number(nodes)
        + "; ++i) putchar(\"-SFUD\"[now.st[i]]);\n"
          "    putchar(' ');\n"
          "    for (i = 0; i < "
        + QByteArray::number(operations.size())
        + "; ++i) putchar(\"wiSFCR\"[now.stat[i]]);\n"
          "    putchar('\\n'); }; done = true } break }\n  od\n}\n";
    return text;
}

bool spinIsInstalled()
{
    return !QStandardPaths::findExecutable(u"spin"_s).isEmpty()
        && !QStandardPaths::findExecutable(u"cc"_s).isEmpty();
}

Result<QMap<int, QSet<QByteArray>>> PromelaModel::endings() const
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"model.pml"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(text()) < 0)
        return Error { u"%1 cannot be written"_s.arg(file.fileName()) };
    file.close();

    QByteArray output;
    const auto run = [&](const QString &program, const QStringList &arguments) {
        QProcess process;
        process.setWorkingDirectory(folder.path());
        process.start(program, arguments);
        const bool good = process.waitForStarted() && process.waitForFinished(120'000)
            && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
        output = process.readAllStandardOutput();
        if (!good)
            output += process.readAllStandardError();
        return good;
    };
    for (const QStringList &command : { QStringList { u"spin"_s, u"-a"_s, u"model.pml"_s },
             QStringList { u"cc"_s, u"-O1"_s, u"-w"_s, u"-DSAFETY"_s, u"-DNOREDUCE"_s, u"-o"_s,
                 u"pan"_s, u"pan.c"_s },
             QStringList { folder.filePath(u"pan"_s), u"-m1000"_s, u"-n"_s } }) {
        if (!run(command.first(), command.mid(1)))
            return Error { command.join(u' ') + u": "_s + QString::fromUtf8(output) };
    }
    if (!output.contains("errors: 0") || output.contains("max search depth too small"))
        return Error { u"the search was not complete: "_s + QString::fromUtf8(output.right(2000)) };

    QMap<int, QSet<QByteArray>> endings;
    for (const QByteArray &line : output.split('\n')) {
        if (!line.startsWith("END "))
            continue;
        const QList<QByteArray> words = line.split(' ');
        endings[words[1].toInt()].insert(words[2] + ' ' + words[3]);
    }
    return endings;
}

} // namespace instar
