// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/statecharts/statecharts.h"

namespace instar {

/// State Chart XML, the W3C's recommendation of 2015. Whatever a chart has no place for stays as
/// XML text among its particulars ("scxml.onentry", "scxml.datamodel", "scxml.@src" ...), so that
/// writing gives it back. Places are in a namespace of ours. XML that is not well-formed, or has a
/// document type with entities, is an error.
Result<StatechartsRead> readScxml(const QByteArray &bytes, const QString &file);

/// One chart, valid for Qt's qscxmlc; what UML has beyond SCXML is said in SCXML's terms and kept
/// in our namespace, so that reading gives the same chart again. Conditions that are words, not
/// expressions, become variables that are false.
StatechartsWritten writeScxml(const QList<Statechart> &charts);

/// The text with our namespace, where it has names of that and does not say so.
QByteArray withOwnNamespace(const QByteArray &text);

} // namespace instar
