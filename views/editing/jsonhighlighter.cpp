// SPDX-License-Identifier: Apache-2.0
#include "views/editing/jsonhighlighter.h"

#include "views/editing/jsonedit.h"

namespace instar {

JsonHighlighter::JsonHighlighter(QTextDocument *document) : QSyntaxHighlighter(document)
{
    m_key.setFontWeight(QFont::DemiBold);
}

void JsonHighlighter::setTheme(const Theme &theme)
{
    m_key.setForeground(theme.text);
    m_text.setForeground(theme.accent);
    m_value.setForeground(theme.moodText(Mood::Working));
    m_sign.setForeground(theme.dimText);
    rehighlight();
}

void JsonHighlighter::highlightBlock(const QString &line)
{
    for (const JsonToken &token : tokensIn(line)) {
        const QTextCharFormat &format = token.kind == JsonToken::Kind::Key ? m_key
            : token.kind == JsonToken::Kind::Text                          ? m_text
            : token.kind == JsonToken::Kind::Word                          ? m_value
                                                                           : m_sign;
        setFormat(int(token.from), int(token.length), format);
    }
}

} // namespace instar
