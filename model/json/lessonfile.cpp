// SPDX-License-Identifier: Apache-2.0
#include "model/json/lessonfile.h"

#include "model/json/output.h"
#include "model/json/scenariofile.h"
#include "model/pack/nearest.h"

#include <QRegularExpression>

#include <ranges>

namespace instar {

namespace {

using Kind = LessonPart::Kind;

constexpr qint64 latest = qint64(1) << 53; ///< time of a block, virtual ms
constexpr int mostDepth = 100;             ///< levels of JSON in a line; fewer than Limits::depth

QString quoted(const QString &text)
{
    return QString::fromUtf8(jsonString(text));
}

QString shownLine(const QString &line)
{
    const QString text = oneLine(line).simplified();
    return u"\"%1\""_s.arg(text.size() > 60 ? text.first(57) + u"..."_s : text);
}

/// Returns a further member of a JSON object: `, "key": "text"`; empty for an empty text.
QString furtherMember(const char *key, const QString &text)
{
    return text.isEmpty() ? text : u", \"%1\": %2"_s.arg(QLatin1StringView(key), quoted(text));
}

/// Returns the members of a JSON object, as text to append to another object: `, "key": 1`.
Result<QString> furtherMembers(const QString &object)
{
    if (object.isEmpty())
        return QString();
    const Result<JsonText> json = JsonText::parse(object.toUtf8(), {}, { .depth = mostDepth });
    if (!json)
        return Error { json.error().section(u": "_s, 1) };
    return json->root().size() > 0 ? u", "_s + object.chopped(1).sliced(1) : QString();
}

QString expectationJson(const QString &name, const QString &word)
{
    const auto about = [&](const char *key, const QString &value) {
        return u"{\"%1\": {%2: %3}}"_s.arg(QLatin1StringView(key), quoted(name), value);
    };
    const qsizetype of = name.indexOf(u" of /"_s);
    if (name == u"violations")
        return u"{\"violations\": %1}"_s.arg(
            QRegularExpression(u"^\\d{1,9}$"_s).match(word).hasMatch() ? word : quoted(word));
    if (of > 0) {
        const bool isJson = bool(JsonText::parse(word.toUtf8(), {}, { .depth = mostDepth }));
        return u"{\"properties\": {%1: {%2: %3}}}"_s.arg(quoted(name.sliced(of + 4)),
            quoted(name.first(of)),
            word == u"nothing" ? u"null"_s
                : isJson       ? word
                               : quoted(word));
    }
    if (!name.startsWith(u'/'))
        return about(statusNamed(word) ? "operations" : "errors", quoted(word));
    if (word == u"new etag" || word == u"same etag")
        return u"{\"%1\": [%2]}"_s.arg(
            word == u"new etag" ? u"etagsChanged"_s : u"etagsUnchanged"_s, quoted(name));
    return about("resources", word == u"gone" ? u"null"_s : quoted(word));
}

/// Parser of a lesson that also writes the JSON of its scenario.
class LessonReader
{
public:
    explicit LessonReader(const QString &name) { m_text.name = name; }

    LessonText read(const QByteArray &bytes)
    {
        const QStringList lines = QString::fromUtf8(bytes).split(u'\n');
        m_json.resize(lines.size());
        for (QString text : lines) {
            ++m_line;
            if (text.endsWith(u'\r'))
                text.chop(1);
            readLine(text);
        }
        finish();
        return std::move(m_text);
    }

private:
    enum class Fence { None, Code, Setup, Do, Check };

    LessonPart &part() { return m_text.lesson.parts.last(); }
    bool isIn(Kind kind) { return !m_text.lesson.parts.isEmpty() && part().kind == kind; }
    void appendJson(const QString &json) { m_json[m_line - 1] += json; }

    void error(const QString &text, const QString &code, int line = 0)
    {
        m_text.diagnostics.append(
            { Diagnostic::Severity::Error, {}, text, code, std::max(line ? line : m_line, 1) });
    }

    void beginPart(Kind kind)
    {
        endText();
        m_text.lesson.parts.append({ .kind = kind, .line = m_line });
    }

    /// Ends a text: trims blank lines, and removes the part if it is empty.
    void endText()
    {
        if (!isIn(Kind::Text))
            return;
        part().text = part().text.trimmed();
        if (part().text.isEmpty())
            m_text.lesson.parts.removeLast();
    }

    /// Adds a step of the current part, or of its answer `choice` (-1: none).
    void addStep(const QString &json, int choice)
    {
        appendJson((m_steps++ ? u", "_s : QString()) + json);
        m_text.owners.append({ m_text.lesson.parts.size() - 1, choice });
    }

    void readLine(const QString &text)
    {
        if (m_fence != Fence::None)
            return readBlockLine(text);
        if (m_isHead)
            return readHead(text);
        if (text.startsWith(u"```"))
            return openBlock(text);
        static const QRegularExpression answer(u"^[-*] \\[([ xX])\\] +(.*)$"_s);
        if (const auto found = answer.match(text); found.hasMatch())
            return beginChoice(found.captured(1) != u" ", found.captured(2).trimmed());
        if (m_isInChoice && text.startsWith(u"  ") && !text.trimmed().isEmpty()) {
            part().choices.last().text += u' ' + text.trimmed();
            return;
        }
        endChoice();
        readText(text);
    }

    void readHead(const QString &text)
    {
        const bool hasTitle = !m_text.lesson.title.isEmpty();
        if (text.trimmed().isEmpty())
            return;
        if (!hasTitle && text.startsWith(u"# ")) {
            m_text.lesson.title = text.sliced(2).trimmed();
            return;
        }
        m_isHead = false;
        if (!hasTitle) {
            error(u"expected a title in the first line, such as \"# Two clients meet\", found %1"_s
                      .arg(shownLine(text)),
                u"title"_s);
            m_text.lesson.title = m_text.name.section(u'/', -1);
        } else if (text.startsWith(u"Rules: ")) {
            for (const QString &rule : text.sliced(7).split(u'·', Qt::SkipEmptyParts))
                m_text.lesson.rules += rule.trimmed();
            return;
        }
        readLine(text);
    }

    void readText(const QString &text)
    {
        const bool isHeading = text.startsWith(u"## ");
        if (isHeading || !isIn(Kind::Text)) {
            if (text.trimmed().isEmpty())
                return;
            beginPart(Kind::Text);
            part().beginsPage = isHeading;
        }
        appendText(text);
    }

    void appendText(const QString &text)
    {
        if (!isIn(Kind::Text))
            beginPart(Kind::Text);
        part().text += text + u'\n';
    }

    void openBlock(const QString &text)
    {
        endChoice();
        const auto end = std::ranges::find_if(text, [](QChar each) { return each != u'`'; });
        m_fenceMark = text.first(end - text.begin());
        const QString info = text.sliced(m_fenceMark.size()).trimmed();
        const QString word = info.section(u' ', 0, 0), argument = info.section(u' ', 1).trimmed();
        m_blockLine = m_line;
        m_facts.clear();
        static const QStringList blocks { u"setup"_s, u"do"_s, u"check"_s };
        if (!blocks.contains(word)) {
            if (const QString meant = nearest(word, blocks); !word.isEmpty() && !meant.isEmpty())
                error(u"expected a block setup, do or check, found \"%1\"%2"_s.arg(
                          oneLine(word).left(40), suggestion(word, blocks)),
                    u"block"_s);
            m_fence = Fence::Code;
            return appendText(text);
        }
        if (word == u"setup") {
            m_fence = Fence::Setup;
            m_skipsSetup = m_hasSetup || m_steps > 0;
            if (m_skipsSetup)
                return error(m_hasSetup
                        ? u"expected one block setup, found a second one"_s
                        : u"expected the setup block before the first other block, found it after"_s,
                    u"setup"_s);
            if (argument.isEmpty())
                error(u"expected a pack after the word setup: \"```setup PACK\""_s, u"setup"_s);
            endText();
            m_hasHeader = true;
            appendJson(u"{\"pack\": %1"_s.arg(quoted(argument)));
            return;
        }
        m_fence = word == u"do" ? Fence::Do : Fence::Check;
        if (!m_hasSetup)
            error(u"expected a block \"```setup PACK\" before the first block do or check"_s,
                u"setup"_s);
        beginPart(m_fence == Fence::Do ? Kind::Do : Kind::Check);
        m_at = readTime(argument);
    }

    qint64 readTime(const QString &word)
    {
        if (word.isEmpty())
            return m_at;
        bool isWhole = false;
        const qint64 at = word.toLongLong(&isWhole);
        if (!isWhole || at < m_at || at > latest) {
            error(
                u"expected a time in whole ms, at least %1 (the time of the previous block), found %2"_s
                    .arg(m_at)
                    .arg(shownLine(word)),
                u"time"_s);
            return m_at;
        }
        return at;
    }

    void readBlockLine(const QString &text)
    {
        const bool isEnd = text.trimmed() == m_fenceMark;
        if (m_fence == Fence::Code) {
            appendText(text);
            if (isEnd)
                m_fence = Fence::None;
            return;
        }
        if (isEnd)
            return closeBlock();
        if (text.trimmed().isEmpty())
            return;
        if (m_fence != Fence::Setup)
            part().text += text.trimmed() + u'\n';
        if (m_fence == Fence::Do)
            readStep(text.trimmed());
        else if (m_fence == Fence::Check)
            readFact(text.trimmed(), nullptr);
        else if (!m_skipsSetup)
            readSetup(text.trimmed());
    }

    void closeBlock()
    {
        const Fence fence = std::exchange(m_fence, Fence::None);
        if (fence == Fence::Setup) {
            if (!std::exchange(m_hasSetup, true) && !m_skipsSetup)
                appendJson((m_hasSwitches ? u"}"_s : QString())
                    + (m_hasResources ? u"]"_s : QString()) + u", \"steps\": ["_s);
            return;
        }
        part().text = part().text.trimmed();
        if (part().text.isEmpty())
            error(fence == Fence::Do
                    ? u"expected a request, such as \"A: PUT /a/b as a\", found an empty block"_s
                    : u"expected a fact, such as \"/a/b: Updating\", found an empty block"_s,
                u"block"_s, m_blockLine);
        if (fence == Fence::Check)
            m_openQuestion = -1;
    }

    void readSetup(const QString &text)
    {
        static const QRegularExpression value(u"^([^\\s/{]\\S*) = (\\S+)$"_s);
        static const QRegularExpression resource(u"^(/\\S+?)(?:: (\\S.*?))?(?:\\s+(\\{.*\\}))?$"_s);
        if (const auto found = value.match(text); found.hasMatch()) {
            if (m_hasResources)
                return error(u"expected switches before resources, found %1"_s.arg(shownLine(text)),
                    u"setup"_s);
            const QString chosen = found.captured(2);
            const bool isFlag = chosen == u"true" || chosen == u"false";
            appendJson((m_hasSwitches ? u", "_s : u", \"switches\": {"_s)
                + quoted(found.captured(1)) + u": "_s + (isFlag ? chosen : quoted(chosen)));
            m_hasSwitches = true;
            return;
        }
        const auto found = resource.match(text);
        const bool isNothing = text == u"nothing" && !m_hasResources;
        if (!isNothing && (!found.hasMatch() || m_hasNothing))
            return error(
                u"expected a switch \"NAME = VALUE\", a resource \"/type/id: STATE\", or nothing, found %1"_s
                    .arg(shownLine(text)),
                u"setup"_s);
        const Result<QString> more = furtherMembers(found.captured(3));
        if (!more)
            return error(more.error(), u"json"_s);
        QString json = (std::exchange(m_hasSwitches, false) ? u"}"_s : QString())
            + (std::exchange(m_hasResources, true) ? u", "_s : u", \"resources\": ["_s);
        m_hasNothing = isNothing;
        if (!isNothing)
            json += u"{\"path\": "_s + quoted(found.captured(1))
                + furtherMember("state", found.captured(2)) + *more + u'}';
        appendJson(json);
    }

    void readStep(const QString &text)
    {
        static const QRegularExpression endForm(u"^end ([^\\s/]\\S*)(?: (\\S.*))?$"_s);
        static const QRegularExpression requestForm(
            u"^(?:([^:/{]+): +)?([^/{]*[^/{\\s]) +(/\\S*)(?: +as (\\S+))?(?:\\s+(\\{.*\\}))?$"_s);
        const QString at = u"{\"at\": %1, "_s.arg(m_at);
        if (const auto found = endForm.match(text); found.hasMatch())
            return addStep(at + u"\"end\": "_s + quoted(found.captured(1))
                    + furtherMember("outcome", found.captured(2)) + u'}',
                -1);
        const auto found = requestForm.match(text);
        if (!found.hasMatch())
            return error(
                u"expected \"CLIENT: OPERATION /type/id as ID {...}\" or \"end ID OUTCOME\", found %1"_s
                    .arg(shownLine(text)),
                u"do"_s);
        const Result<QString> more = furtherMembers(found.captured(5));
        if (!more)
            return error(more.error(), u"json"_s);
        addStep(at + u"\"op\": "_s + quoted(found.captured(2))
                + furtherMember("path", found.captured(3)) + furtherMember("id", found.captured(4))
                + furtherMember("client", found.captured(1).trimmed()) + *more + u'}',
            -1);
    }

    /// Reads a fact that a block checks, or that the answer `claimant` claims.
    void readFact(const QString &text, LessonPart::Choice *claimant)
    {
        const qsizetype colon = text.indexOf(u": "_s);
        const QString name = text.left(colon).trimmed(), word = text.mid(colon + 2).trimmed();
        if (colon <= 0 || name.isEmpty() || word.isEmpty())
            return error(
                u"expected a fact such as \"/type/id: STATE\" or \"ID: STATUS\", found %1"_s.arg(
                    shownLine(text)),
                u"fact"_s);
        const QString subject = name + (word.endsWith(u" etag") ? u" etag"_s : QString());
        const bool isCode = !name.startsWith(u'/') && !statusNamed(word);
        const QString key = subject + (isCode ? u" code"_s : QString());
        if (m_facts.contains(key))
            return error(
                u"expected each fact once, found %1 again"_s.arg(shownLine(name)), u"fact"_s);
        m_facts.insert(key);
        const int choice = claimant ? int(claimant - part().choices.data()) : -1;
        addStep(
            u"{\"at\": %1, \"expect\": %2}"_s.arg(m_at).arg(expectationJson(name, word)), choice);
    }

    void beginChoice(bool isRight, const QString &text)
    {
        endChoice();
        if (!isIn(Kind::Predict)) {
            beginPart(Kind::Predict);
            m_openQuestion = m_text.lesson.parts.size() - 1;
            if (!m_hasSetup)
                error(u"expected a block \"```setup PACK\" before a question"_s, u"setup"_s);
        }
        part().choices.append({ .text = text, .isRight = isRight });
        part().choices.last().claim.line = m_line;
        m_isInChoice = true;
    }

    /// Ends an answer, and reads its claims, which stand between backquotes at its end.
    void endChoice()
    {
        if (!std::exchange(m_isInChoice, false))
            return;
        LessonPart::Choice &choice = part().choices.last();
        static const QRegularExpression claim(u"^(.*\\S)\\s*`([^`]+)`$"_s);
        const auto found = claim.match(choice.text);
        if (!found.hasMatch())
            return error(
                u"expected an answer that ends with its claims, such as \"`a: Rejected`\", found %1"_s
                    .arg(shownLine(choice.text)),
                u"claim"_s, choice.claim.line);
        choice.text = found.captured(1);
        m_facts.clear();
        const int currentLine = std::exchange(m_line, choice.claim.line);
        for (const QString &each : found.captured(2).split(u"; "_s))
            readFact(each.trimmed(), &choice);
        m_line = currentLine;
    }

    void finish()
    {
        endChoice();
        if (m_fence != Fence::None) {
            error(u"expected the block to end with a line \"```\""_s, u"block"_s, m_blockLine);
            if (m_fence != Fence::Code)
                closeBlock();
        }
        endText();
        if (m_text.lesson.title.isEmpty())
            error(
                u"expected a lesson that begins with a title such as \"# Two clients meet\", found an empty file"_s,
                u"title"_s, 1);
        for (const LessonPart &each : std::as_const(m_text.lesson.parts)) {
            if (each.kind != Kind::Predict)
                continue;
            const qsizetype right =
                std::ranges::count(each.choices, true, &LessonPart::Choice::isRight);
            if (right == 0 || right == each.choices.size())
                error(
                    u"expected at least one right answer (\"- [x]\") and one wrong answer (\"- [ ]\")"_s,
                    u"prediction"_s, each.line);
        }
        if (m_openQuestion >= 0)
            error(u"expected a block check after the question that shows the right answer"_s,
                u"prediction"_s, m_text.lesson.parts[m_openQuestion].line);
        const bool checks = std::ranges::any_of(
            m_text.lesson.parts, [](const LessonPart &each) { return each.kind == Kind::Check; });
        if (!checks && m_text.diagnostics.isEmpty())
            error(
                u"expected at least one block \"```check\", found none; a lesson must check a fact"_s,
                u"block"_s);
        if (!m_hasHeader)
            m_json.first().prepend(u"{\"pack\": \"\", \"steps\": ["_s);
        m_text.scenario = (m_json.join(u'\n') + u"]}"_s).toUtf8();
    }

    LessonText m_text;
    QStringList m_json; ///< lines of the scenario, one for each of the lesson
    int m_line = 0;     ///< line of the lesson, from 1
    Fence m_fence = Fence::None;
    int m_blockLine = 0; ///< first line of the current block
    QString m_fenceMark; ///< backquotes that end the block
    bool m_hasSetup = false, m_hasSwitches = false, m_hasResources = false, m_hasNothing = false;
    bool m_hasHeader = false;  ///< the scenario's JSON has begun with its pack
    bool m_skipsSetup = false; ///< in a setup block that is a duplicate or too late
    bool m_isInChoice = false, m_isHead = true;
    qsizetype m_openQuestion = -1; ///< part with a question that no check followed yet; -1: none
    qint64 m_at = 0;               ///< time of the current block, virtual ms
    int m_steps = 0;
    QSet<QString> m_facts; ///< keys of the facts in the current block or answer
};

void addTo(Expectation &all, const Expectation &more)
{
    all.resources.insert(more.resources);
    for (auto it = more.properties.cbegin(); it != more.properties.cend(); ++it) {
        QJsonObject &known = all.properties[it.key()];
        for (auto each = it->begin(); each != it->end(); ++each)
            known.insert(each.key(), each.value());
    }
    all.operations.insert(more.operations);
    all.errors.insert(more.errors);
    all.etagsChanged += more.etagsChanged;
    all.etagsUnchanged += more.etagsUnchanged;
    if (more.violations)
        all.violations = more.violations;
}

/// Adds each step to its owner; facts of one block become one expectation.
void assignSteps(
    const QList<ScenarioStep> &steps, const QList<LessonText::Owner> &owners, Lesson &lesson)
{
    for (qsizetype i = 0; i < std::min(steps.size(), owners.size()); ++i) {
        LessonPart &part = lesson.parts[owners[i].part];
        if (owners[i].choice < 0 && (part.kind == Kind::Do || part.steps.isEmpty())) {
            part.steps += steps[i];
            continue;
        }
        ScenarioStep &target =
            owners[i].choice < 0 ? part.steps.first() : part.choices[owners[i].choice].claim;
        target.kind = ScenarioStep::Kind::Expect;
        addTo(target.expectation, steps[i].expectation);
    }
    qint64 at = 0;
    for (LessonPart &part : lesson.parts | std::views::reverse) {
        if (part.kind == Kind::Check && !part.steps.isEmpty())
            at = part.steps.first().at;
        for (LessonPart::Choice &choice : part.choices)
            choice.claim.at = at;
    }
}

} // namespace

bool isLesson(QStringView file)
{
    return file.endsWith(u".md", Qt::CaseInsensitive);
}

LessonText lessonText(const QByteArray &bytes, const QString &name)
{
    return LessonReader(name).read(bytes);
}

LessonDraft lessonDraft(const LessonText &text, const Pack &pack)
{
    LessonDraft draft { text.lesson, text.diagnostics, {} };
    const Result<JsonText> document = JsonText::parse(text.scenario, text.name);
    Q_ASSERT(document); // LessonReader parsed or quoted all of the content
    ScenarioDraft scenario = scenarioDraft(*document, pack);
    for (Diagnostic &diagnostic : scenario.diagnostics) {
        diagnostic.pointer.clear(); // points into the generated JSON
        draft.diagnostics += diagnostic;
    }
    for (const ScenarioStep &step : std::as_const(scenario.scenario.steps)) {
        if (step.seenAt)
            draft.diagnostics += { Diagnostic::Severity::Error, {},
                u"expected an etag, found the number of a step; steps of a lesson have no numbers"_s,
                u"value"_s, step.line };
    }
    std::ranges::stable_sort(draft.diagnostics, {}, &Diagnostic::line);
    draft.error = summary(text.name, draft.diagnostics);
    if (!draft.error.isEmpty())
        return draft;
    assignSteps(scenario.scenario.steps, text.owners, draft.lesson);
    draft.lesson.setup = std::move(scenario.scenario);
    draft.lesson.setup.steps.clear();
    return draft;
}

} // namespace instar
