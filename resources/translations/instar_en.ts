<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>instar::BurstModel</name>
    <message numerus="yes">
        <source>%Ln headers</source>
        <translation>
            <numerusform>%Ln header</numerusform>
            <numerusform>%Ln headers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln bytes</source>
        <translation>
            <numerusform>%Ln byte</numerusform>
            <numerusform>%Ln bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln references</source>
        <translation>
            <numerusform>%Ln reference</numerusform>
            <numerusform>%Ln references</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln transient failures</source>
        <translation>
            <numerusform>%Ln transient failure</numerusform>
            <numerusform>%Ln transient failures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::ExchangeView</name>
    <message numerus="yes">
        <source>%Ln bytes</source>
        <translation>
            <numerusform>%Ln byte</numerusform>
            <numerusform>%Ln bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::FireBar</name>
    <message numerus="yes">
        <source>, and %Ln other resources</source>
        <translation>
            <numerusform>, and %Ln other resource</numerusform>
            <numerusform>, and %Ln other resources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::Inspector</name>
    <message numerus="yes">
        <source>%Ln resources</source>
        <translation>
            <numerusform>%Ln resource</numerusform>
            <numerusform>%Ln resources</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln times in one operation; then the operation fails</source>
        <translation>
            <numerusform>once in one operation; then the operation fails</numerusform>
            <numerusform>%Ln times in one operation; then the operation fails</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln transitions</source>
        <translation>
            <numerusform>%Ln transition</numerusform>
            <numerusform>%Ln transitions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::ItemWords</name>
    <message numerus="yes">
        <source>%Ln fired</source>
        <translation>
            <numerusform>%Ln fired</numerusform>
            <numerusform>%Ln fired</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::NetworkPanel</name>
    <message numerus="yes">
        <source>%Ln violations of the rules</source>
        <translation>
            <numerusform>%Ln violation of the rules</numerusform>
            <numerusform>%Ln violations of the rules</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::OperationModel</name>
    <message numerus="yes">
        <source>waits for %Ln operations</source>
        <translation>
            <numerusform>waits for %Ln operation</numerusform>
            <numerusform>waits for %Ln operations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::OutcomesModel</name>
    <message numerus="yes">
        <source>%1 and %Ln descendants</source>
        <translation>
            <numerusform>%1 and %Ln descendant</numerusform>
            <numerusform>%1 and %Ln descendants</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The traces differ after %Ln steps. %1; %2</source>
        <translation>
            <numerusform>The traces differ after %Ln step. %1; %2</numerusform>
            <numerusform>The traces differ after %Ln steps. %1; %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln dead ends</source>
        <translation>
            <numerusform>%Ln dead end</numerusform>
            <numerusform>%Ln dead ends</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln broken constraints</source>
        <translation>
            <numerusform>%Ln broken constraint</numerusform>
            <numerusform>%Ln broken constraints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln endings</source>
        <translation>
            <numerusform>%Ln ending</numerusform>
            <numerusform>%Ln endings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::Rounds</name>
    <message numerus="yes">
        <source>The tree was not read in %Ln s.</source>
        <translation>
            <numerusform>The tree was not read in %Ln s.</numerusform>
            <numerusform>The tree was not read in %Ln s.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not everything has ended in %Ln s.</source>
        <translation>
            <numerusform>Not everything has ended in %Ln s.</numerusform>
            <numerusform>Not everything has ended in %Ln s.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::RoundsDialog</name>
    <message numerus="yes">
        <source>%Ln rounds broke the rules.</source>
        <translation>
            <numerusform>%Ln round broke the rules.</numerusform>
            <numerusform>%Ln rounds broke the rules.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln rounds could not be judged.</source>
        <translation>
            <numerusform>%Ln round could not be judged.</numerusform>
            <numerusform>%Ln rounds could not be judged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln different endings.</source>
        <translation>
            <numerusform>%Ln ending.</numerusform>
            <numerusform>%Ln different endings.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::RowForm</name>
    <message numerus="yes">
        <source>… and %Ln more</source>
        <translation>
            <numerusform>… and %Ln more</numerusform>
            <numerusform>… and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Used by %Ln row(s)</source>
        <translation>
            <numerusform>Used by %Ln row</numerusform>
            <numerusform>Used by %Ln rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::Sentences</name>
    <message numerus="yes">
        <source>%Ln resources moved</source>
        <translation>
            <numerusform>%Ln resource moved</numerusform>
            <numerusform>%Ln resources moved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>resources that %1 had moved returned to rest: %Ln</source>
        <translation>
            <numerusform>resources that %1 had moved returned to rest: %Ln</numerusform>
            <numerusform>resources that %1 had moved returned to rest: %Ln</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::Timeline</name>
    <message numerus="yes">
        <source>%Ln attempts</source>
        <translation>
            <numerusform>%Ln attempt</numerusform>
            <numerusform>%Ln attempts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::TimelinePanel</name>
    <message numerus="yes">
        <source>%Ln resources</source>
        <translation>
            <numerusform>%Ln resource</numerusform>
            <numerusform>%Ln resources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>instar::TimelineView</name>
    <message numerus="yes">
        <source>%Ln descendants</source>
        <translation>
            <numerusform>%Ln descendant</numerusform>
            <numerusform>%Ln descendants</numerusform>
        </translation>
    </message>
</context>
</TS>
