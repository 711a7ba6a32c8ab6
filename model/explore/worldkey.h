// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/world.h"

namespace instar {

/// Serializer of worlds into keys, which are equal if the worlds behave the same from now on.
/// Names are numbered in order of appearance, so only keys of one writer can be compared.
class WorldKeyWriter
{
public:
    explicit WorldKeyWriter(const Rules &rules);

    /// Makes keys of requests with other marks differ. The request must outlive the writer.
    void mark(const Request *request, int number) { m_marks.insert(request, number); }

    /// Appends a world's key.
    void write(const World &world, QByteArray &out);
    /// Renumbers the names written so far in sorted order, and appends them.
    void writeNames(QByteArray &out);

private:
    /// Cache for a handle: name, type and parent of the last resource that had it, and its number.
    struct Slot
    {
        QString name, typePath;
        int parent = -1, number = -1; ///< numbers of parent and resource; -1: none
    };

    void name(const World &world);
    int numberOf(const QString &text);
    void text(const QString &text, QByteArray &out);
    void path(const World &world, const QString &path, QByteArray &out);
    void paths(const World &world, const QStringList &paths, QByteArray &out);
    void resource(Resource resource, QByteArray &out) const;
    void writeFacts(const World &world, QByteArray &out);
    void writeProperties(const QJsonObject &properties, QByteArray &out);
    void queue(const World &world, QByteArray &out);
    QByteArray operation(const World &world, const Running &running, bool isTree);
    void plan(const World &world, const Running &running, QByteArray &out);
    void answers(const Running &running, QByteArray &out) const;

    const Rules &m_rules;
    bool m_isOrdered = false;            ///< the order in which a row affects relatives can matter
    QHash<const Request *, int> m_marks; ///< see mark()
    QHash<QString, int> m_textNumbers;   ///< text -> its number, which is written in its place
    std::vector<Slot> m_slots;           ///< by resource
    std::vector<int> m_resourceNumbers;  ///< resource -> number in the world being written
    std::vector<std::pair<int, Resource>>
        m_present;               ///< (number, resource), in the order of writing
    std::vector<int> m_affected; ///< scratch memory of operation()
};

} // namespace instar
