// SPDX-License-Identifier: Apache-2.0
#include "model/machine/documentnames.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Walks well-formed JSON without losing where its strings stand; ends at what is none.
class DocumentScan
{
public:
    explicit DocumentScan(const QByteArray &json) : m_json(json) { value(); }
    QList<DocumentName> found;

private:
    struct Text
    {
        QString key;
        DocumentName name;
    };

    char next()
    {
        while (m_at < m_json.size() && QByteArrayView(" \t\r\n").contains(m_json[m_at]))
            ++m_at;
        return m_at < m_json.size() ? m_json[m_at] : '\0';
    }
    bool take(char what)
    {
        const bool isThere = next() == what;
        m_at += isThere;
        return isThere;
    }

    DocumentName string()
    {
        const qsizetype begin = m_at++;
        while (m_at < m_json.size() && m_json[m_at] != '"')
            m_at += m_json[m_at] == '\\' ? 2 : 1;
        m_at = std::min(m_at + 1, m_json.size());
        const QByteArray raw = m_json.sliced(begin, m_at - begin);
        return { begin, raw.size(),
            QJsonDocument::fromJson('[' + raw + ']').array().at(0).toString() };
    }

    void value()
    {
        switch (next()) {
        case '{':
            object();
            break;
        case '[':
            ++m_at;
            while (next() && !take(']')) {
                value();
                take(',');
            }
            break;
        case '"':
            string();
            break;
        default: // a number or a word
            do
                ++m_at;
            while (m_at < m_json.size() && !QByteArrayView(",]}").contains(m_json[m_at]));
        }
    }

    void object()
    {
        QList<Text> texts;
        ++m_at;
        while (next() == '"') {
            const QString key = string().text;
            if (!take(':'))
                break;
            if (next() == '"')
                texts.append({ key, string() });
            else
                value();
            take(',');
        }
        take('}');
        const auto has = [&](QStringView key) {
            return std::ranges::any_of(texts, [&](const Text &text) { return text.key == key; });
        };
        const bool isProperty = has(u"{property}"), isDocument = has(u"{document}");
        for (Text &text : texts) {
            text.name.what = nameOf(text.key, isProperty, isDocument);
            if (text.name.what != Name::None)
                found += text.name;
        }
    }

    static Name nameOf(const QString &key, bool isProperty, bool isDocument)
    {
        if (key == u"{document}" || key == u"{children}" || key == u"{referrers}")
            return Name::Document;
        if (key == u"{property}")
            return Name::Property;
        if (key == u"of" && (isProperty || isDocument))
            return Name::Relation;
        return key == u"refusal" && isProperty ? Name::Refusal : Name::None;
    }

    const QByteArray &m_json;
    qsizetype m_at = 0;
};

} // namespace

QList<DocumentName> namesInDocument(const QByteArray &json)
{
    QList<DocumentName> found = DocumentScan(json).found;
    std::ranges::sort(found, {}, &DocumentName::begin);
    return found;
}

QByteArray documentRenamed(const QByteArray &json, const QList<DocumentName> &names)
{
    QByteArray text;
    qsizetype at = 0;
    for (const DocumentName &name : names) {
        text += json.sliced(at, name.begin - at);
        text += QJsonDocument(QJsonArray { name.text })
                    .toJson(QJsonDocument::Compact)
                    .sliced(1)
                    .chopped(1);
        at = name.begin + name.size;
    }
    return text + json.sliced(at);
}

} // namespace instar
