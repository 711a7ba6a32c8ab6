// SPDX-License-Identifier: Apache-2.0
#include "model/json/packfile.h"

#include "model/engine/world.h"
#include "model/json/members.h"
#include "model/pack/check.h"
#include "model/pack/names.h"
#include "model/pack/rows.h"
#include "model/pack/runnablepack.h"

#include <algorithm>

namespace instar {

namespace {

/// Returns the first reason why the engine cannot run a pack under some values of its switches;
/// empty: none was found. Checks a statechart as a machine, in the form that the engine can run. A
/// pack of statecharts only is not checked, because the interpreter runs it.
QString engineProblem(const Pack &pack)
{
    if (!pack.machines.isEmpty() && std::ranges::all_of(pack.machines, &Machine::isStatechart))
        return {};
    for (const Switches &switches : choicesOf(pack.switches)) {
        Pack checked = pack;
        const bool hasCharts = std::ranges::any_of(pack.machines, &Machine::isStatechart);
        const Pack draft = hasCharts ? runnableDraft(pack, switches) : Pack();
        for (Machine &machine : checked.machines) {
            const Machine *runnable = machine.isStatechart() ? draft.machine(machine.id) : nullptr;
            if (runnable)
                machine = *runnable;
        }
        const Result<Rules> rules = Rules::make(checked, switches);
        if (!rules)
            return rules.error();
        const QString problem = makeWorld(*rules, pack.sample).problem;
        if (!problem.isEmpty())
            return problem;
    }
    return {};
}

/// Adds the keys of a row and the words of its enumerations, and the same of the rows in it.
void addWords(QStringList *words, const auto &row)
{
    eachMember(row, [&]<typename T>(const char *key, const T &member, const MemberSpec &spec) {
        *words += QString::fromLatin1(key);
        if (spec.wrapper)
            *words += QString::fromLatin1(spec.wrapper);
        *words += wordList(spec.words);
        if constexpr (IsRowList<T>) {
            using Inner = typename T::value_type;
            for (int shape = 0; shape < members::ShapeCount<Inner>; ++shape)
                addWords(words, members::rowOfShape<Inner>(shape));
        } else if constexpr (IsRowOrNone<T>) {
            addWords(words, typename T::value_type());
        } else if constexpr (IsRow<T>) {
            addWords(words, member);
        }
    });
}

} // namespace

const QStringList &packWords()
{
    static const QStringList all = [] {
        QStringList words;
        addWords(&words, Pack());
        // Words in steps, conditions and numbers that are computed from properties.
        words += QStringList { u"attempt"_s, u"last"_s, u"id"_s, u"required"_s, u"elapsed"_s,
            u"since"_s, u"ms"_s, u"property"_s, u"name"_s, u"is"_s, u"above"_s, u"not"_s, u"any"_s,
            u"none"_s, u"of"_s, u"times"_s, u"add"_s, u"else"_s };
        words.removeDuplicates();
        return words;
    }();
    return all;
}

template Pack readRow(JsonReader &, Value, const QString &);
template Machine readRow(JsonReader &, Value, const QString &);
template Output rowOutput(const Pack &);
template Output rowOutput(const Machine &);
template Output rowOutput(const ResourceSpec &);

/// Fast path for a million resources: reads each member once and shares equal state names.
template<>
ResourceSpec readRow(JsonReader &reading, Value value, const QString &)
{
    if (!value.is(Value::Kind::Object)) {
        reading.expected(u"a resource: an object with a path"_s, value);
        return {};
    }
    ResourceSpec resource;
    bool hasPath = false, hasState = false;
    for (const Member member : value.members()) {
        const bool isPath = member.key.isString("path"), isState = member.key.isString("state");
        const bool isRepeated = (isPath && hasPath) || (isState && hasState);
        if ((!isPath && !isState) || isRepeated || !member.value.is(Value::Kind::String))
            return readDescribed<ResourceSpec>(reading, value);
        (isPath ? hasPath : hasState) = true;
        (isPath ? resource.path : resource.state) =
            isPath ? member.value.string() : reading.shared(member.value);
    }
    return hasPath ? resource : readDescribed<ResourceSpec>(reading, value);
}

PackDraft packDraft(const JsonText &document)
{
    JsonReader reading(document);
    Pack pack = readRow<Pack>(reading, document.root());
    return { std::move(pack), reading.diagnostics(), reading.sentence() };
}

Result<Pack> readPack(const JsonText &document)
{
    PackDraft draft = packDraft(document);
    if (!draft.error.isEmpty())
        return Error { draft.error };
    return std::move(draft.pack);
}

QByteArray writePack(const Pack &pack)
{
    return rowOutput(pack).text();
}

QStringList errorLines(const QString &file, const QList<Diagnostic> &diagnostics)
{
    QStringList lines;
    for (const Diagnostic &each : diagnostics) {
        if (each.severity == Diagnostic::Severity::Error)
            lines += described(file, each);
    }
    return lines;
}

QList<Diagnostic> packDiagnostics(const JsonText &document, const Pack &pack)
{
    QList<Diagnostic> diagnostics = check(pack);
    const bool hasErrors = std::ranges::any_of(diagnostics, [](const Diagnostic &diagnostic) {
        return diagnostic.severity == Diagnostic::Severity::Error;
    });
    const QString problem = hasErrors ? QString() : engineProblem(pack);
    if (!problem.isEmpty())
        diagnostics.append({ Diagnostic::Severity::Error, {}, problem, u"unresolved"_s });
    return located(document, diagnostics);
}

bool needsWholePack(const Diagnostic &diagnostic)
{
    static const QStringList codes { u"no-source"_s, u"unknown-type"_s, u"unknown-relation"_s,
        u"unknown-operation"_s, u"undeclared-operation"_s, u"unknown-outcome"_s,
        u"unknown-refusal"_s, u"unknown-switch"_s, u"unknown-source"_s, u"nobody-hears"_s };
    return codes.contains(diagnostic.code);
}

QList<Diagnostic> machineDiagnostics(const JsonText &document, const Machine &machine)
{
    QList<Diagnostic> diagnostics;
    const QString prefix = pointerTo({ u"machines"_s, machine.id });
    for (Diagnostic diagnostic : check(selfContainedPack(machine))) {
        const bool isInMachine =
            diagnostic.pointer == prefix || diagnostic.pointer.startsWith(prefix + u'/');
        const bool isGenerated = diagnostic.pointer.startsWith(u"/machines/"_s)
            || diagnostic.pointer.startsWith(u"/switches/"_s);
        if (needsWholePack(diagnostic) || (isGenerated && !isInMachine))
            continue;
        if (isInMachine)
            diagnostic.pointer.remove(0, prefix.size());
        if (diagnostic.code == u"unreachable-state") // a row of the pack may lead to the state
            diagnostic.severity = Diagnostic::Severity::Warning;
        diagnostics.append(diagnostic);
    }
    return located(document, diagnostics);
}

} // namespace instar
