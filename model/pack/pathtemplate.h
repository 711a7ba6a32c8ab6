// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace instar {

/// A path with holes, as API descriptions write it: "/owners/{owner}/repos/{repo}". A hole stands
/// for at least one character and for no slash; of two in one part, such as "{a},{b}", the first
/// is as short as can be.
class PathTemplate
{
public:
    using Filling = QMap<QString, QString>; ///< hole -> what stands there

    PathTemplate() = default;
    explicit PathTemplate(const QString &text);

    /// The names of its holes, as they stand.
    const QStringList &holes() const { return m_holes; }
    /// Parts between slashes.
    qsizetype size() const { return qsizetype(m_parts.size()); }
    /// What is in the holes of such a path, given in its parts; nothing: the path is another one.
    std::optional<Filling> fit(const QList<QStringView> &parts, Qt::CaseSensitivity names) const;
    std::optional<Filling> fit(const QString &path, Qt::CaseSensitivity names) const;
    /// The path with its holes filled.
    QString filled(const Filling &filling) const;

private:
    /// A literal, then a hole and a literal, and so on.
    struct Part
    {
        QStringList literals, holes;
    };
    static bool fits(
        const Part &part, QStringView text, Qt::CaseSensitivity names, Filling *filling);

    std::vector<Part> m_parts;
    QStringList m_holes;
};

} // namespace instar
