// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// Writes what can still matter in worlds as bytes. It gives names numbers and keeps those: bytes
/// of one writer compare with its own only.
class WorldKeyWriter
{
public:
    explicit WorldKeyWriter(const Rules &rules);

    /// Operations whose requests have different marks are never the same. The request must outlive
    /// the writer.
    void mark(const Request *request, int number) { m_marks.insert(request, number); }

    /// Appends a world's bytes.
    void write(const World &world, QByteArray &out);
    /// Gives the names that were met the numbers that they have in their order, and appends them.
    void writeNames(QByteArray &out);

private:
    /// What is known of the resource that has a slot in some world of the search.
    struct Slot
    {
        QString name, typePath;
        int parent = -1, number = -1;
    };

    void name(const World &world);
    int numberOf(const QString &text);
    void text(const QString &text, QByteArray &out);
    void path(const World &world, const QString &path, QByteArray &out);
    void resource(Resource resource, QByteArray &out) const;
    void facts(const World &world, QByteArray &out);
    void asked(const QJsonObject &properties, QByteArray &out);
    void queue(const World &world, QByteArray &out);
    QByteArray operation(const World &world, const Running &running, bool isTree);
    void plan(const World &world, const Running &running, QByteArray &out);
    void answers(const Running &running, QByteArray &out) const;

    const Rules &m_rules;
    bool m_isOrdered = false; ///< the order in which relatives are looked at can matter
    QHash<const Request *, int> m_marks;
    QHash<QString, int> m_numbers; ///< text -> number
    std::vector<Slot> m_slots;     ///< resource -> what it was when last seen
    std::vector<int> m_number;     ///< resource -> its number in the world being written
    std::vector<std::pair<int, Resource>>
        m_present; ///< what exists, in the order in which it is written
    std::vector<int> m_cover;
};

} // namespace instar
