// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <utility>

namespace instar {

/// XML that is put together line by line, elements indented by two spaces a level.
class XmlText
{
public:
    using Attributes = QList<std::pair<QString, QString>>;

    void open(const QString &name, const Attributes &attributes);
    void close(const QString &name);
    void empty(const QString &name, const Attributes &attributes);
    /// XML as it is.
    void raw(const QString &xml);

    const QString &text() const { return m_text; }
    /// There was a character that XML cannot say; it was written as U+FFFD.
    bool hasReplaced() const { return m_hasReplaced; }

private:
    void tag(const QString &name, const Attributes &attributes, const QString &end);
    QString escaped(const QString &value);

    QString m_text = QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    int m_depth = 0;
    bool m_hasReplaced = false;
};

/// A text made a name in the sense of XML namespaces (NCName): the same for one that is.
QString xmlName(const QString &text);

/// A file's text: by its byte order mark, else by what its first line says, else UTF-8.
Result<QString> xmlDecoded(const QByteArray &bytes, const QString &file);

} // namespace instar
