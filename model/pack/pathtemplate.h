// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace instar {

/// Path template of an API description: "/owners/{owner}/repos/{repo}". A hole matches one or more
/// characters other than a slash. If a part between slashes has several holes ("{a},{b}"), all but
/// the last match as few characters as possible.
class PathTemplate
{
public:
    using HoleValues = QMap<QString, QString>; ///< hole -> value

    PathTemplate() = default;
    explicit PathTemplate(const QString &text);

    const QStringList &holes() const { return m_holes; }
    qsizetype size() const { return qsizetype(m_parts.size()); } ///< number of parts of the path
    /// Returns the values of the holes in a path that is given by its parts; absent: no match.
    std::optional<HoleValues> match(
        const QList<QStringView> &parts, Qt::CaseSensitivity nameCase) const;
    std::optional<HoleValues> match(const QString &path, Qt::CaseSensitivity nameCase) const
    {
        return match(QStringView(path).split(u'/', Qt::SkipEmptyParts), nameCase);
    }
    /// Returns the path with its holes filled.
    QString filled(const HoleValues &values) const;

private:
    /// Text between two slashes: a literal (which may be empty), a hole, a literal, and so on.
    struct Part
    {
        QStringList literals, holes;
    };
    static bool fits(
        const Part &part, QStringView text, Qt::CaseSensitivity nameCase, HoleValues *values);

    std::vector<Part> m_parts;
    QStringList m_holes;
};

} // namespace instar
