// SPDX-License-Identifier: Apache-2.0
#include "model/openapi/yamltext.h"

#include "model/json/output.h"

#include <QHash>

#include <sstream>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int MostDepth = 500; ///< levels of nesting

/// Exception that stops the parser, which offers no other way; yamlText() catches the exception.
struct Refusal
{
    int line = 0, column = 0; ///< from 0, as in the parser
    QString text;
};

/// True if JSON would read a plain scalar as a number.
bool isJsonNumber(QByteArrayView text)
{
    return !text.isEmpty() && QByteArrayView("-0123456789").contains(text[0])
        && JsonText::parse(text.toByteArray(), {});
}

/// Translator of parser events to JSON, with each value on its line of the YAML file.
class JsonEvents : public YAML::EventHandler
{
public:
    explicit JsonEvents(qsizetype most) : m_most(most) { }

    QByteArray take() { return m_out.isEmpty() ? QByteArray("null") : std::move(m_out); }

    void OnDocumentStart(const YAML::Mark &) override { }
    void OnDocumentEnd() override { }

    void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        scalar(mark, anchor, "null", "null");
    }

    void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
        const std::string &value) override
    {
        static const QHash<QByteArray, QByteArray> words { { "true", "true" }, { "True", "true" },
            { "TRUE", "true" }, { "false", "false" }, { "False", "false" }, { "FALSE", "false" } };
        const QByteArray text = QByteArray::fromStdString(value);
        const bool isPlain = tag == "?"; // OnNull() handles the words for null
        if (isPlain && (words.contains(text) || isJsonNumber(text)))
            scalar(mark, anchor, words.value(text, text), text);
        else
            scalar(mark, anchor, quoted(text), text);
    }

    void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        const auto found = m_anchors.constFind(anchor);
        if (found == m_anchors.constEnd())
            throw refused(mark, u"this alias refers to a value that contains it"_s);
        const QByteArray &copy = *found;
        if (isKey()) {
            if (!copy.startsWith('"'))
                throw refused(mark, u"expected a text as a key, found an alias of another value"_s);
            key(mark, copy);
            return;
        }
        beginValue(mark);
        m_out += copy;
        endValue(mark);
    }

    void OnSequenceStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t anchor,
        YAML::EmitterStyle::value) override
    {
        open(mark, anchor, '[');
    }
    void OnSequenceEnd() override { close(']'); }

    void OnMapStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t anchor,
        YAML::EmitterStyle::value) override
    {
        open(mark, anchor, '{');
    }
    void OnMapEnd() override { close('}'); }

private:
    struct Level // list or mapping whose end is not reached yet
    {
        bool isMap = false;
        bool awaitsValue = false; ///< a key was written
        qsizetype items = 0;
        qsizetype at = 0; ///< offset of the opening bracket in m_out
        YAML::anchor_t anchor = 0;
        YAML::Mark mark = YAML::Mark::null_mark();
    };

    static Refusal refused(const YAML::Mark &mark, const QString &text)
    {
        return { mark.line, mark.column, text };
    }

    static QByteArray quoted(QByteArrayView text)
    {
        QByteArray out("\"");
        appendJsonText(&out, text);
        return out.append('"');
    }

    bool isKey() const
    {
        return !m_levels.isEmpty() && m_levels.last().isMap && !m_levels.last().awaitsValue;
    }

    /// Writes line feeds up to the mark's line.
    void padLines(const YAML::Mark &mark)
    {
        for (; m_line < mark.line; ++m_line)
            m_out += '\n';
    }

    void key(const YAML::Mark &mark, QByteArrayView json)
    {
        Level &level = m_levels.last();
        level.awaitsValue = true;
        if (json == QByteArrayView("\"<<\""))
            throw refused(
                mark, u"merge keys (<<) are not supported; write out the merged members"_s);
        if (level.items++ > 0)
            m_out += ',';
        padLines(mark);
        m_out.append(json).append(':');
    }

    void beginValue(const YAML::Mark &mark)
    {
        if (!m_levels.isEmpty() && !m_levels.last().isMap && m_levels.last().items++ > 0)
            m_out += ',';
        padLines(mark);
    }

    void endValue(const YAML::Mark &mark)
    {
        if (m_out.size() > m_most)
            throw refused(mark,
                u"the aliases of the file expand to more than %1 MB"_s.arg(m_most / 1'000'000));
        if (!m_levels.isEmpty())
            m_levels.last().awaitsValue = false;
    }

    void scalar(
        const YAML::Mark &mark, YAML::anchor_t anchor, QByteArrayView json, QByteArrayView asKey)
    {
        const QByteArray text = isKey() ? quoted(asKey) : json.toByteArray();
        if (anchor)
            m_anchors.insert(anchor, json.startsWith('"') || !isKey() ? json.toByteArray() : text);
        if (isKey()) {
            key(mark, json.startsWith('"') ? json : QByteArrayView(text));
            return;
        }
        beginValue(mark);
        m_out += text;
        endValue(mark);
    }

    void open(const YAML::Mark &mark, YAML::anchor_t anchor, char bracket)
    {
        if (isKey())
            throw refused(mark, u"expected a text as a key, found a list or mapping"_s);
        if (m_levels.size() >= MostDepth)
            throw refused(mark, u"expected at most %1 levels, found more"_s.arg(MostDepth));
        beginValue(mark);
        m_levels +=
            Level { .isMap = bracket == '{', .at = m_out.size(), .anchor = anchor, .mark = mark };
        m_out += bracket;
    }

    void close(char bracket)
    {
        m_out += bracket;
        const Level level = m_levels.takeLast();
        if (level.anchor) {
            QByteArray copy = m_out.sliced(level.at);
            copy.replace('\n', QByteArray()); // line feeds of texts are escaped
            m_anchoredBytes += copy.size();
            if (m_anchoredBytes > m_most)
                throw refused(level.mark,
                    u"the anchored values of the file have more than %1 MB"_s.arg(
                        m_most / 1'000'000));
            m_anchors.insert(level.anchor, copy);
        }
        endValue(level.mark);
    }

    const qsizetype m_most;
    QByteArray m_out;
    int m_line = 0; ///< of the end of m_out, from 0
    qsizetype m_anchoredBytes = 0;
    QList<Level> m_levels;
    QHash<YAML::anchor_t, QByteArray> m_anchors; ///< anchor -> JSON of its value
};

Error errorAt(const QString &name, int line, int column, QString text)
{
    if (text.isEmpty())
        text = u"expected YAML, found something else"_s;
    return { u"%1:%2:%3: %4"_s.arg(
        name, QString::number(line + 1), QString::number(column + 1), text) };
}

} // namespace

Result<JsonText> yamlText(const QByteArray &yaml, const QString &name, qsizetype most)
{
    if (!yaml.isValidUtf8())
        return Error { u"%1: expected UTF-8, found other bytes"_s.arg(name) };
    JsonEvents events(most);
    std::istringstream stream(yaml.toStdString());
    try {
        YAML::Parser parser(stream);
        parser.HandleNextDocument(events);
    } catch (const Refusal &refusal) {
        return errorAt(name, refusal.line, refusal.column, refusal.text);
    } catch (const YAML::Exception &error) {
        return errorAt(name, std::max(error.mark.line, 0), std::max(error.mark.column, 0),
            QString::fromStdString(error.msg).simplified());
    }
    return JsonText::parse(events.take(), name);
}

} // namespace instar
