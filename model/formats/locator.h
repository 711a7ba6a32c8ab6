// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/jsontext.h"

#include <QHash>

namespace instar {

/// Document::position() for many pointers into one document, each in about the time that its own
/// length takes. The document must outlive it.
class Locator
{
public:
    explicit Locator(const JsonText &document);
    /// Of the key or item that the pointer names; of what lies nearest above it where there is
    /// none.
    Position position(QStringView pointer);

private:
    struct Child
    {
        Value key, value; ///< an item is its own key
    };
    using Children = QHash<QString, Child>; ///< by segment, as it stands in a pointer
    const Children &children(Value container);
    Position positionOf(Value value) const;
    int lettersBefore(const char *at) const;

    const JsonText &m_document;
    std::vector<const char *> m_lines; ///< where each begins
    std::vector<int> m_letters;        ///< before each block of bytes
    QHash<quint32, Children> m_children;
};

} // namespace instar
