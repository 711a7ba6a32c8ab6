// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statechart.h"

namespace instar::scxml {

inline constexpr QStringView Namespace = u"http://www.w3.org/2005/07/scxml";
/// Namespace of what SCXML cannot express.
inline constexpr QStringView OwnNamespace = u"urn:instar:statechart";
inline constexpr QStringView OwnPrefix = u"instar";

// Keys of particulars.
inline constexpr QStringView Attribute = u"scxml.@";     ///< "scxml.@src": an unparsed attribute
inline constexpr QStringView Prefix = u"scxml.xmlns:";   ///< namespace of a prefix
inline constexpr QStringView Content = u"scxml.content"; ///< content of a transition element

/// Elements of a state that are kept unparsed, in the order in which they are written.
inline const QStringList &keptElements()
{
    static const QStringList names { QStringLiteral("datamodel"), QStringLiteral("script"),
        QStringLiteral("onentry"), QStringLiteral("onexit"), QStringLiteral("invoke"),
        QStringLiteral("donedata") };
    return names;
}

/// Kinds that SCXML lacks, by their words in Instar's namespace.
inline const QMap<QString, Vertex::Kind> &kinds()
{
    using Kind = Vertex::Kind;
    static const QMap<QString, Kind> all { { QStringLiteral("initial"), Kind::Initial },
        { QStringLiteral("history"), Kind::ShallowHistory },
        { QStringLiteral("deepHistory"), Kind::DeepHistory },
        { QStringLiteral("choice"), Kind::Choice }, { QStringLiteral("fork"), Kind::Fork },
        { QStringLiteral("join"), Kind::Join }, { QStringLiteral("entry"), Kind::Entry },
        { QStringLiteral("exit"), Kind::Exit } };
    return all;
}

} // namespace instar::scxml
