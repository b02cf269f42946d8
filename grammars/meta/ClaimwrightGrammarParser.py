# Generated from ClaimwrightGrammar.g4 by ANTLR 4.13.2
# encoding: utf-8
from antlr4 import *
from io import StringIO
import sys
if sys.version_info[1] > 5:
	from typing import TextIO
else:
	from typing.io import TextIO

def serializedATN():
    return [
        4,1,36,282,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,1,0,
        1,0,5,0,43,8,0,10,0,12,0,46,9,0,1,0,5,0,49,8,0,10,0,12,0,52,9,0,
        1,0,5,0,55,8,0,10,0,12,0,58,9,0,1,0,1,0,1,1,1,1,1,1,1,1,1,2,1,2,
        1,2,3,2,69,8,2,1,3,1,3,1,3,1,3,5,3,75,8,3,10,3,12,3,78,9,3,1,3,1,
        3,1,4,1,4,1,4,1,4,1,4,1,4,5,4,88,8,4,10,4,12,4,91,9,4,1,4,1,4,3,
        4,95,8,4,1,5,1,5,1,5,1,5,5,5,101,8,5,10,5,12,5,104,9,5,3,5,106,8,
        5,1,5,1,5,1,6,1,6,1,6,1,6,5,6,114,8,6,10,6,12,6,117,9,6,1,6,1,6,
        1,6,1,6,1,6,1,6,5,6,125,8,6,10,6,12,6,128,9,6,3,6,130,8,6,1,6,1,
        6,3,6,134,8,6,1,7,1,7,1,7,3,7,139,8,7,1,7,1,7,1,7,3,7,144,8,7,1,
        7,1,7,1,8,1,8,1,8,1,8,5,8,152,8,8,10,8,12,8,155,9,8,1,9,3,9,158,
        8,9,1,9,1,9,1,9,5,9,163,8,9,10,9,12,9,166,9,9,1,9,1,9,1,9,1,9,1,
        10,1,10,1,10,5,10,175,8,10,10,10,12,10,178,9,10,1,11,5,11,181,8,
        11,10,11,12,11,184,9,11,1,11,3,11,187,8,11,1,11,1,11,3,11,191,8,
        11,1,12,1,12,1,12,1,12,1,12,3,12,198,8,12,1,12,3,12,201,8,12,1,12,
        1,12,1,12,1,12,1,12,3,12,208,8,12,1,12,3,12,211,8,12,5,12,213,8,
        12,10,12,12,12,216,9,12,1,13,3,13,219,8,13,1,13,1,13,3,13,223,8,
        13,1,13,3,13,226,8,13,1,14,1,14,1,14,1,15,1,15,3,15,233,8,15,1,16,
        1,16,3,16,237,8,16,1,16,3,16,240,8,16,1,17,1,17,1,17,1,17,1,17,1,
        17,1,17,1,17,1,17,1,17,1,17,1,17,1,17,1,17,1,17,5,17,257,8,17,10,
        17,12,17,260,9,17,1,17,1,17,3,17,264,8,17,1,17,1,17,1,17,1,17,3,
        17,270,8,17,1,18,1,18,1,18,1,18,1,18,1,18,3,18,278,8,18,1,19,1,19,
        1,19,0,0,20,0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,
        38,0,2,1,0,30,31,1,0,23,25,312,0,40,1,0,0,0,2,61,1,0,0,0,4,68,1,
        0,0,0,6,70,1,0,0,0,8,81,1,0,0,0,10,96,1,0,0,0,12,133,1,0,0,0,14,
        135,1,0,0,0,16,147,1,0,0,0,18,157,1,0,0,0,20,171,1,0,0,0,22,182,
        1,0,0,0,24,192,1,0,0,0,26,225,1,0,0,0,28,227,1,0,0,0,30,230,1,0,
        0,0,32,239,1,0,0,0,34,269,1,0,0,0,36,277,1,0,0,0,38,279,1,0,0,0,
        40,44,3,2,1,0,41,43,3,4,2,0,42,41,1,0,0,0,43,46,1,0,0,0,44,42,1,
        0,0,0,44,45,1,0,0,0,45,50,1,0,0,0,46,44,1,0,0,0,47,49,3,18,9,0,48,
        47,1,0,0,0,49,52,1,0,0,0,50,48,1,0,0,0,50,51,1,0,0,0,51,56,1,0,0,
        0,52,50,1,0,0,0,53,55,3,16,8,0,54,53,1,0,0,0,55,58,1,0,0,0,56,54,
        1,0,0,0,56,57,1,0,0,0,57,59,1,0,0,0,58,56,1,0,0,0,59,60,5,0,0,1,
        60,1,1,0,0,0,61,62,5,1,0,0,62,63,3,38,19,0,63,64,5,17,0,0,64,3,1,
        0,0,0,65,69,3,6,3,0,66,69,3,10,5,0,67,69,3,12,6,0,68,65,1,0,0,0,
        68,66,1,0,0,0,68,67,1,0,0,0,69,5,1,0,0,0,70,76,5,6,0,0,71,72,3,8,
        4,0,72,73,5,17,0,0,73,75,1,0,0,0,74,71,1,0,0,0,75,78,1,0,0,0,76,
        74,1,0,0,0,76,77,1,0,0,0,77,79,1,0,0,0,78,76,1,0,0,0,79,80,5,22,
        0,0,80,7,1,0,0,0,81,82,3,38,19,0,82,94,5,30,0,0,83,95,5,15,0,0,84,
        89,3,38,19,0,85,86,5,27,0,0,86,88,3,38,19,0,87,85,1,0,0,0,88,91,
        1,0,0,0,89,87,1,0,0,0,89,90,1,0,0,0,90,95,1,0,0,0,91,89,1,0,0,0,
        92,95,5,11,0,0,93,95,5,10,0,0,94,83,1,0,0,0,94,84,1,0,0,0,94,92,
        1,0,0,0,94,93,1,0,0,0,95,9,1,0,0,0,96,105,5,7,0,0,97,102,3,38,19,
        0,98,99,5,18,0,0,99,101,3,38,19,0,100,98,1,0,0,0,101,104,1,0,0,0,
        102,100,1,0,0,0,102,103,1,0,0,0,103,106,1,0,0,0,104,102,1,0,0,0,
        105,97,1,0,0,0,105,106,1,0,0,0,106,107,1,0,0,0,107,108,5,22,0,0,
        108,11,1,0,0,0,109,110,5,2,0,0,110,115,3,38,19,0,111,112,5,18,0,
        0,112,114,3,38,19,0,113,111,1,0,0,0,114,117,1,0,0,0,115,113,1,0,
        0,0,115,116,1,0,0,0,116,118,1,0,0,0,117,115,1,0,0,0,118,119,5,17,
        0,0,119,134,1,0,0,0,120,129,5,8,0,0,121,126,3,38,19,0,122,123,5,
        18,0,0,123,125,3,38,19,0,124,122,1,0,0,0,125,128,1,0,0,0,126,124,
        1,0,0,0,126,127,1,0,0,0,127,130,1,0,0,0,128,126,1,0,0,0,129,121,
        1,0,0,0,129,130,1,0,0,0,130,131,1,0,0,0,131,134,5,22,0,0,132,134,
        3,14,7,0,133,109,1,0,0,0,133,120,1,0,0,0,133,132,1,0,0,0,134,13,
        1,0,0,0,135,138,5,32,0,0,136,139,3,38,19,0,137,139,5,5,0,0,138,136,
        1,0,0,0,138,137,1,0,0,0,139,143,1,0,0,0,140,141,5,16,0,0,141,142,
        5,16,0,0,142,144,3,38,19,0,143,140,1,0,0,0,143,144,1,0,0,0,144,145,
        1,0,0,0,145,146,5,10,0,0,146,15,1,0,0,0,147,148,5,4,0,0,148,149,
        3,38,19,0,149,153,5,17,0,0,150,152,3,18,9,0,151,150,1,0,0,0,152,
        155,1,0,0,0,153,151,1,0,0,0,153,154,1,0,0,0,154,17,1,0,0,0,155,153,
        1,0,0,0,156,158,5,3,0,0,157,156,1,0,0,0,157,158,1,0,0,0,158,159,
        1,0,0,0,159,164,3,38,19,0,160,163,3,6,3,0,161,163,3,14,7,0,162,160,
        1,0,0,0,162,161,1,0,0,0,163,166,1,0,0,0,164,162,1,0,0,0,164,165,
        1,0,0,0,165,167,1,0,0,0,166,164,1,0,0,0,167,168,5,16,0,0,168,169,
        3,20,10,0,169,170,5,17,0,0,170,19,1,0,0,0,171,176,3,22,11,0,172,
        173,5,19,0,0,173,175,3,22,11,0,174,172,1,0,0,0,175,178,1,0,0,0,176,
        174,1,0,0,0,176,177,1,0,0,0,177,21,1,0,0,0,178,176,1,0,0,0,179,181,
        3,26,13,0,180,179,1,0,0,0,181,184,1,0,0,0,182,180,1,0,0,0,182,183,
        1,0,0,0,183,186,1,0,0,0,184,182,1,0,0,0,185,187,3,24,12,0,186,185,
        1,0,0,0,186,187,1,0,0,0,187,190,1,0,0,0,188,189,5,33,0,0,189,191,
        3,38,19,0,190,188,1,0,0,0,190,191,1,0,0,0,191,23,1,0,0,0,192,193,
        5,29,0,0,193,200,3,38,19,0,194,197,5,20,0,0,195,198,3,38,19,0,196,
        198,5,15,0,0,197,195,1,0,0,0,197,196,1,0,0,0,198,199,1,0,0,0,199,
        201,5,21,0,0,200,194,1,0,0,0,200,201,1,0,0,0,201,214,1,0,0,0,202,
        203,5,18,0,0,203,210,3,38,19,0,204,207,5,20,0,0,205,208,3,38,19,
        0,206,208,5,15,0,0,207,205,1,0,0,0,207,206,1,0,0,0,208,209,1,0,0,
        0,209,211,5,21,0,0,210,204,1,0,0,0,210,211,1,0,0,0,211,213,1,0,0,
        0,212,202,1,0,0,0,213,216,1,0,0,0,214,212,1,0,0,0,214,215,1,0,0,
        0,215,25,1,0,0,0,216,214,1,0,0,0,217,219,3,28,14,0,218,217,1,0,0,
        0,218,219,1,0,0,0,219,220,1,0,0,0,220,222,3,34,17,0,221,223,3,32,
        16,0,222,221,1,0,0,0,222,223,1,0,0,0,223,226,1,0,0,0,224,226,3,30,
        15,0,225,218,1,0,0,0,225,224,1,0,0,0,226,27,1,0,0,0,227,228,3,38,
        19,0,228,229,7,0,0,0,229,29,1,0,0,0,230,232,5,10,0,0,231,233,5,23,
        0,0,232,231,1,0,0,0,232,233,1,0,0,0,233,31,1,0,0,0,234,236,7,1,0,
        0,235,237,5,23,0,0,236,235,1,0,0,0,236,237,1,0,0,0,237,240,1,0,0,
        0,238,240,5,9,0,0,239,234,1,0,0,0,239,238,1,0,0,0,240,33,1,0,0,0,
        241,270,3,38,19,0,242,270,5,11,0,0,243,244,5,11,0,0,244,245,5,26,
        0,0,245,270,5,11,0,0,246,270,5,12,0,0,247,270,5,27,0,0,248,263,5,
        28,0,0,249,264,5,11,0,0,250,264,5,12,0,0,251,264,3,38,19,0,252,253,
        5,20,0,0,253,258,3,36,18,0,254,255,5,19,0,0,255,257,3,36,18,0,256,
        254,1,0,0,0,257,260,1,0,0,0,258,256,1,0,0,0,258,259,1,0,0,0,259,
        261,1,0,0,0,260,258,1,0,0,0,261,262,5,21,0,0,262,264,1,0,0,0,263,
        249,1,0,0,0,263,250,1,0,0,0,263,251,1,0,0,0,263,252,1,0,0,0,264,
        270,1,0,0,0,265,266,5,20,0,0,266,267,3,20,10,0,267,268,5,21,0,0,
        268,270,1,0,0,0,269,241,1,0,0,0,269,242,1,0,0,0,269,243,1,0,0,0,
        269,246,1,0,0,0,269,247,1,0,0,0,269,248,1,0,0,0,269,265,1,0,0,0,
        270,35,1,0,0,0,271,272,5,11,0,0,272,273,5,26,0,0,273,278,5,11,0,
        0,274,278,5,11,0,0,275,278,5,12,0,0,276,278,3,38,19,0,277,271,1,
        0,0,0,277,274,1,0,0,0,277,275,1,0,0,0,277,276,1,0,0,0,278,37,1,0,
        0,0,279,280,5,14,0,0,280,39,1,0,0,0,38,44,50,56,68,76,89,94,102,
        105,115,126,129,133,138,143,153,157,162,164,176,182,186,190,197,
        200,207,210,214,218,222,225,232,236,239,258,263,269,277
    ]

class ClaimwrightGrammarParser ( Parser ):

    grammarFileName = "ClaimwrightGrammar.g4"

    atn = ATNDeserializer().deserialize(serializedATN())

    decisionsToDFA = [ DFA(ds, i) for i, ds in enumerate(atn.decisionToState) ]

    sharedContextCache = PredictionContextCache()

    literalNames = [ "<INVALID>", "'grammar'", "'import'", "'fragment'", 
                     "'mode'", "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>", 
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>", 
                     "<INVALID>", "<INVALID>", "<INVALID>", "':'", "';'", 
                     "','", "'|'", "'('", "')'", "'}'", "'?'", "'*'", "'+'", 
                     "'..'", "'.'", "'~'", "'->'", "'='", "'+='", "'@'", 
                     "'#'", "<INVALID>", "'\\uFEFF'" ]

    symbolicNames = [ "<INVALID>", "GRAMMAR", "IMPORT", "FRAGMENT", "MODE", 
                      "RESERVED", "OPTIONS", "TOKENS", "CHANNELS", "BOUNDS", 
                      "ACTION", "STRING", "SET", "OPEN", "NAME", "INT", 
                      "COLON", "SEMI", "COMMA", "OR", "LPAREN", "RPAREN", 
                      "RBRACE", "QUESTION", "STAR", "PLUS", "RANGE", "DOT", 
                      "NOT", "ARROW", "ASSIGN", "APPEND", "AT", "POUND", 
                      "COMMENT", "BOM", "SPACE" ]

    RULE_grammarFile = 0
    RULE_header = 1
    RULE_prequel = 2
    RULE_optionList = 3
    RULE_option = 4
    RULE_tokenList = 5
    RULE_refused = 6
    RULE_namedAction = 7
    RULE_lexerMode = 8
    RULE_grammarRule = 9
    RULE_alternatives = 10
    RULE_sequence = 11
    RULE_command = 12
    RULE_element = 13
    RULE_label = 14
    RULE_action = 15
    RULE_suffix = 16
    RULE_atom = 17
    RULE_setPart = 18
    RULE_name = 19

    ruleNames =  [ "grammarFile", "header", "prequel", "optionList", "option", 
                   "tokenList", "refused", "namedAction", "lexerMode", "grammarRule", 
                   "alternatives", "sequence", "command", "element", "label", 
                   "action", "suffix", "atom", "setPart", "name" ]

    EOF = Token.EOF
    GRAMMAR=1
    IMPORT=2
    FRAGMENT=3
    MODE=4
    RESERVED=5
    OPTIONS=6
    TOKENS=7
    CHANNELS=8
    BOUNDS=9
    ACTION=10
    STRING=11
    SET=12
    OPEN=13
    NAME=14
    INT=15
    COLON=16
    SEMI=17
    COMMA=18
    OR=19
    LPAREN=20
    RPAREN=21
    RBRACE=22
    QUESTION=23
    STAR=24
    PLUS=25
    RANGE=26
    DOT=27
    NOT=28
    ARROW=29
    ASSIGN=30
    APPEND=31
    AT=32
    POUND=33
    COMMENT=34
    BOM=35
    SPACE=36

    def __init__(self, input:TokenStream, output:TextIO = sys.stdout):
        super().__init__(input, output)
        self.checkVersion("4.13.2")
        self._interp = ParserATNSimulator(self, self.atn, self.decisionsToDFA, self.sharedContextCache)
        self._predicates = None




    class GrammarFileContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def header(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.HeaderContext,0)


        def EOF(self):
            return self.getToken(ClaimwrightGrammarParser.EOF, 0)

        def prequel(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.PrequelContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.PrequelContext,i)


        def grammarRule(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.GrammarRuleContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.GrammarRuleContext,i)


        def lexerMode(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.LexerModeContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.LexerModeContext,i)


        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_grammarFile




    def grammarFile(self):

        localctx = ClaimwrightGrammarParser.GrammarFileContext(self, self._ctx, self.state)
        self.enterRule(localctx, 0, self.RULE_grammarFile)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 40
            self.header()
            self.state = 44
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 4294967748) != 0):
                self.state = 41
                self.prequel()
                self.state = 46
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 50
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==3 or _la==14:
                self.state = 47
                self.grammarRule()
                self.state = 52
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 56
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==4:
                self.state = 53
                self.lexerMode()
                self.state = 58
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 59
            self.match(ClaimwrightGrammarParser.EOF)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class HeaderContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def GRAMMAR(self):
            return self.getToken(ClaimwrightGrammarParser.GRAMMAR, 0)

        def name(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,0)


        def SEMI(self):
            return self.getToken(ClaimwrightGrammarParser.SEMI, 0)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_header




    def header(self):

        localctx = ClaimwrightGrammarParser.HeaderContext(self, self._ctx, self.state)
        self.enterRule(localctx, 2, self.RULE_header)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 61
            self.match(ClaimwrightGrammarParser.GRAMMAR)
            self.state = 62
            self.name()
            self.state = 63
            self.match(ClaimwrightGrammarParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PrequelContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def optionList(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.OptionListContext,0)


        def tokenList(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.TokenListContext,0)


        def refused(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.RefusedContext,0)


        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_prequel




    def prequel(self):

        localctx = ClaimwrightGrammarParser.PrequelContext(self, self._ctx, self.state)
        self.enterRule(localctx, 4, self.RULE_prequel)
        try:
            self.state = 68
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [6]:
                self.enterOuterAlt(localctx, 1)
                self.state = 65
                self.optionList()
                pass
            elif token in [7]:
                self.enterOuterAlt(localctx, 2)
                self.state = 66
                self.tokenList()
                pass
            elif token in [2, 8, 32]:
                self.enterOuterAlt(localctx, 3)
                self.state = 67
                self.refused()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class OptionListContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def OPTIONS(self):
            return self.getToken(ClaimwrightGrammarParser.OPTIONS, 0)

        def RBRACE(self):
            return self.getToken(ClaimwrightGrammarParser.RBRACE, 0)

        def option(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.OptionContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.OptionContext,i)


        def SEMI(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.SEMI)
            else:
                return self.getToken(ClaimwrightGrammarParser.SEMI, i)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_optionList




    def optionList(self):

        localctx = ClaimwrightGrammarParser.OptionListContext(self, self._ctx, self.state)
        self.enterRule(localctx, 6, self.RULE_optionList)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 70
            self.match(ClaimwrightGrammarParser.OPTIONS)
            self.state = 76
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==14:
                self.state = 71
                self.option()
                self.state = 72
                self.match(ClaimwrightGrammarParser.SEMI)
                self.state = 78
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 79
            self.match(ClaimwrightGrammarParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class OptionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def name(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.NameContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,i)


        def ASSIGN(self):
            return self.getToken(ClaimwrightGrammarParser.ASSIGN, 0)

        def INT(self):
            return self.getToken(ClaimwrightGrammarParser.INT, 0)

        def STRING(self):
            return self.getToken(ClaimwrightGrammarParser.STRING, 0)

        def ACTION(self):
            return self.getToken(ClaimwrightGrammarParser.ACTION, 0)

        def DOT(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.DOT)
            else:
                return self.getToken(ClaimwrightGrammarParser.DOT, i)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_option




    def option(self):

        localctx = ClaimwrightGrammarParser.OptionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 8, self.RULE_option)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 81
            self.name()
            self.state = 82
            self.match(ClaimwrightGrammarParser.ASSIGN)
            self.state = 94
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [15]:
                self.state = 83
                self.match(ClaimwrightGrammarParser.INT)
                pass
            elif token in [14]:
                self.state = 84
                self.name()
                self.state = 89
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==27:
                    self.state = 85
                    self.match(ClaimwrightGrammarParser.DOT)
                    self.state = 86
                    self.name()
                    self.state = 91
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                pass
            elif token in [11]:
                self.state = 92
                self.match(ClaimwrightGrammarParser.STRING)
                pass
            elif token in [10]:
                self.state = 93
                self.match(ClaimwrightGrammarParser.ACTION)
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TokenListContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def TOKENS(self):
            return self.getToken(ClaimwrightGrammarParser.TOKENS, 0)

        def RBRACE(self):
            return self.getToken(ClaimwrightGrammarParser.RBRACE, 0)

        def name(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.NameContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,i)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.COMMA)
            else:
                return self.getToken(ClaimwrightGrammarParser.COMMA, i)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_tokenList




    def tokenList(self):

        localctx = ClaimwrightGrammarParser.TokenListContext(self, self._ctx, self.state)
        self.enterRule(localctx, 10, self.RULE_tokenList)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 96
            self.match(ClaimwrightGrammarParser.TOKENS)
            self.state = 105
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==14:
                self.state = 97
                self.name()
                self.state = 102
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==18:
                    self.state = 98
                    self.match(ClaimwrightGrammarParser.COMMA)
                    self.state = 99
                    self.name()
                    self.state = 104
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 107
            self.match(ClaimwrightGrammarParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class RefusedContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IMPORT(self):
            return self.getToken(ClaimwrightGrammarParser.IMPORT, 0)

        def name(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.NameContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,i)


        def SEMI(self):
            return self.getToken(ClaimwrightGrammarParser.SEMI, 0)

        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.COMMA)
            else:
                return self.getToken(ClaimwrightGrammarParser.COMMA, i)

        def CHANNELS(self):
            return self.getToken(ClaimwrightGrammarParser.CHANNELS, 0)

        def RBRACE(self):
            return self.getToken(ClaimwrightGrammarParser.RBRACE, 0)

        def namedAction(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.NamedActionContext,0)


        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_refused




    def refused(self):

        localctx = ClaimwrightGrammarParser.RefusedContext(self, self._ctx, self.state)
        self.enterRule(localctx, 12, self.RULE_refused)
        self._la = 0 # Token type
        try:
            self.state = 133
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [2]:
                self.enterOuterAlt(localctx, 1)
                self.state = 109
                self.match(ClaimwrightGrammarParser.IMPORT)
                self.state = 110
                self.name()
                self.state = 115
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==18:
                    self.state = 111
                    self.match(ClaimwrightGrammarParser.COMMA)
                    self.state = 112
                    self.name()
                    self.state = 117
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 118
                self.match(ClaimwrightGrammarParser.SEMI)
                pass
            elif token in [8]:
                self.enterOuterAlt(localctx, 2)
                self.state = 120
                self.match(ClaimwrightGrammarParser.CHANNELS)
                self.state = 129
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==14:
                    self.state = 121
                    self.name()
                    self.state = 126
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    while _la==18:
                        self.state = 122
                        self.match(ClaimwrightGrammarParser.COMMA)
                        self.state = 123
                        self.name()
                        self.state = 128
                        self._errHandler.sync(self)
                        _la = self._input.LA(1)



                self.state = 131
                self.match(ClaimwrightGrammarParser.RBRACE)
                pass
            elif token in [32]:
                self.enterOuterAlt(localctx, 3)
                self.state = 132
                self.namedAction()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class NamedActionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def AT(self):
            return self.getToken(ClaimwrightGrammarParser.AT, 0)

        def ACTION(self):
            return self.getToken(ClaimwrightGrammarParser.ACTION, 0)

        def name(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.NameContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,i)


        def RESERVED(self):
            return self.getToken(ClaimwrightGrammarParser.RESERVED, 0)

        def COLON(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.COLON)
            else:
                return self.getToken(ClaimwrightGrammarParser.COLON, i)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_namedAction




    def namedAction(self):

        localctx = ClaimwrightGrammarParser.NamedActionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 14, self.RULE_namedAction)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 135
            self.match(ClaimwrightGrammarParser.AT)
            self.state = 138
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [14]:
                self.state = 136
                self.name()
                pass
            elif token in [5]:
                self.state = 137
                self.match(ClaimwrightGrammarParser.RESERVED)
                pass
            else:
                raise NoViableAltException(self)

            self.state = 143
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==16:
                self.state = 140
                self.match(ClaimwrightGrammarParser.COLON)
                self.state = 141
                self.match(ClaimwrightGrammarParser.COLON)
                self.state = 142
                self.name()


            self.state = 145
            self.match(ClaimwrightGrammarParser.ACTION)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class LexerModeContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def MODE(self):
            return self.getToken(ClaimwrightGrammarParser.MODE, 0)

        def name(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,0)


        def SEMI(self):
            return self.getToken(ClaimwrightGrammarParser.SEMI, 0)

        def grammarRule(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.GrammarRuleContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.GrammarRuleContext,i)


        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_lexerMode




    def lexerMode(self):

        localctx = ClaimwrightGrammarParser.LexerModeContext(self, self._ctx, self.state)
        self.enterRule(localctx, 16, self.RULE_lexerMode)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 147
            self.match(ClaimwrightGrammarParser.MODE)
            self.state = 148
            self.name()
            self.state = 149
            self.match(ClaimwrightGrammarParser.SEMI)
            self.state = 153
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==3 or _la==14:
                self.state = 150
                self.grammarRule()
                self.state = 155
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class GrammarRuleContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def name(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,0)


        def COLON(self):
            return self.getToken(ClaimwrightGrammarParser.COLON, 0)

        def alternatives(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.AlternativesContext,0)


        def SEMI(self):
            return self.getToken(ClaimwrightGrammarParser.SEMI, 0)

        def FRAGMENT(self):
            return self.getToken(ClaimwrightGrammarParser.FRAGMENT, 0)

        def optionList(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.OptionListContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.OptionListContext,i)


        def namedAction(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.NamedActionContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.NamedActionContext,i)


        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_grammarRule




    def grammarRule(self):

        localctx = ClaimwrightGrammarParser.GrammarRuleContext(self, self._ctx, self.state)
        self.enterRule(localctx, 18, self.RULE_grammarRule)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 157
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==3:
                self.state = 156
                self.match(ClaimwrightGrammarParser.FRAGMENT)


            self.state = 159
            self.name()
            self.state = 164
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==6 or _la==32:
                self.state = 162
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [6]:
                    self.state = 160
                    self.optionList()
                    pass
                elif token in [32]:
                    self.state = 161
                    self.namedAction()
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 166
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 167
            self.match(ClaimwrightGrammarParser.COLON)
            self.state = 168
            self.alternatives()
            self.state = 169
            self.match(ClaimwrightGrammarParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AlternativesContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def sequence(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.SequenceContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.SequenceContext,i)


        def OR(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.OR)
            else:
                return self.getToken(ClaimwrightGrammarParser.OR, i)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_alternatives




    def alternatives(self):

        localctx = ClaimwrightGrammarParser.AlternativesContext(self, self._ctx, self.state)
        self.enterRule(localctx, 20, self.RULE_alternatives)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 171
            self.sequence()
            self.state = 176
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==19:
                self.state = 172
                self.match(ClaimwrightGrammarParser.OR)
                self.state = 173
                self.sequence()
                self.state = 178
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class SequenceContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def element(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.ElementContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.ElementContext,i)


        def command(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.CommandContext,0)


        def POUND(self):
            return self.getToken(ClaimwrightGrammarParser.POUND, 0)

        def name(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,0)


        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_sequence




    def sequence(self):

        localctx = ClaimwrightGrammarParser.SequenceContext(self, self._ctx, self.state)
        self.enterRule(localctx, 22, self.RULE_sequence)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 182
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 403725312) != 0):
                self.state = 179
                self.element()
                self.state = 184
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 186
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==29:
                self.state = 185
                self.command()


            self.state = 190
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==33:
                self.state = 188
                self.match(ClaimwrightGrammarParser.POUND)
                self.state = 189
                self.name()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class CommandContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def ARROW(self):
            return self.getToken(ClaimwrightGrammarParser.ARROW, 0)

        def name(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.NameContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,i)


        def LPAREN(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.LPAREN)
            else:
                return self.getToken(ClaimwrightGrammarParser.LPAREN, i)

        def RPAREN(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.RPAREN)
            else:
                return self.getToken(ClaimwrightGrammarParser.RPAREN, i)

        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.COMMA)
            else:
                return self.getToken(ClaimwrightGrammarParser.COMMA, i)

        def INT(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.INT)
            else:
                return self.getToken(ClaimwrightGrammarParser.INT, i)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_command




    def command(self):

        localctx = ClaimwrightGrammarParser.CommandContext(self, self._ctx, self.state)
        self.enterRule(localctx, 24, self.RULE_command)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 192
            self.match(ClaimwrightGrammarParser.ARROW)
            self.state = 193
            self.name()
            self.state = 200
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==20:
                self.state = 194
                self.match(ClaimwrightGrammarParser.LPAREN)
                self.state = 197
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [14]:
                    self.state = 195
                    self.name()
                    pass
                elif token in [15]:
                    self.state = 196
                    self.match(ClaimwrightGrammarParser.INT)
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 199
                self.match(ClaimwrightGrammarParser.RPAREN)


            self.state = 214
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==18:
                self.state = 202
                self.match(ClaimwrightGrammarParser.COMMA)
                self.state = 203
                self.name()
                self.state = 210
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==20:
                    self.state = 204
                    self.match(ClaimwrightGrammarParser.LPAREN)
                    self.state = 207
                    self._errHandler.sync(self)
                    token = self._input.LA(1)
                    if token in [14]:
                        self.state = 205
                        self.name()
                        pass
                    elif token in [15]:
                        self.state = 206
                        self.match(ClaimwrightGrammarParser.INT)
                        pass
                    else:
                        raise NoViableAltException(self)

                    self.state = 209
                    self.match(ClaimwrightGrammarParser.RPAREN)


                self.state = 216
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ElementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def atom(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.AtomContext,0)


        def label(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.LabelContext,0)


        def suffix(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.SuffixContext,0)


        def action(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.ActionContext,0)


        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_element




    def element(self):

        localctx = ClaimwrightGrammarParser.ElementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 26, self.RULE_element)
        self._la = 0 # Token type
        try:
            self.state = 225
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [11, 12, 14, 20, 27, 28]:
                self.enterOuterAlt(localctx, 1)
                self.state = 218
                self._errHandler.sync(self)
                la_ = self._interp.adaptivePredict(self._input,28,self._ctx)
                if la_ == 1:
                    self.state = 217
                    self.label()


                self.state = 220
                self.atom()
                self.state = 222
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if (((_la) & ~0x3f) == 0 and ((1 << _la) & 58720768) != 0):
                    self.state = 221
                    self.suffix()


                pass
            elif token in [10]:
                self.enterOuterAlt(localctx, 2)
                self.state = 224
                self.action()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class LabelContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def name(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,0)


        def ASSIGN(self):
            return self.getToken(ClaimwrightGrammarParser.ASSIGN, 0)

        def APPEND(self):
            return self.getToken(ClaimwrightGrammarParser.APPEND, 0)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_label




    def label(self):

        localctx = ClaimwrightGrammarParser.LabelContext(self, self._ctx, self.state)
        self.enterRule(localctx, 28, self.RULE_label)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 227
            self.name()
            self.state = 228
            _la = self._input.LA(1)
            if not(_la==30 or _la==31):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ActionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def ACTION(self):
            return self.getToken(ClaimwrightGrammarParser.ACTION, 0)

        def QUESTION(self):
            return self.getToken(ClaimwrightGrammarParser.QUESTION, 0)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_action




    def action(self):

        localctx = ClaimwrightGrammarParser.ActionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 30, self.RULE_action)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 230
            self.match(ClaimwrightGrammarParser.ACTION)
            self.state = 232
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==23:
                self.state = 231
                self.match(ClaimwrightGrammarParser.QUESTION)


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class SuffixContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def QUESTION(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.QUESTION)
            else:
                return self.getToken(ClaimwrightGrammarParser.QUESTION, i)

        def STAR(self):
            return self.getToken(ClaimwrightGrammarParser.STAR, 0)

        def PLUS(self):
            return self.getToken(ClaimwrightGrammarParser.PLUS, 0)

        def BOUNDS(self):
            return self.getToken(ClaimwrightGrammarParser.BOUNDS, 0)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_suffix




    def suffix(self):

        localctx = ClaimwrightGrammarParser.SuffixContext(self, self._ctx, self.state)
        self.enterRule(localctx, 32, self.RULE_suffix)
        self._la = 0 # Token type
        try:
            self.state = 239
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [23, 24, 25]:
                self.enterOuterAlt(localctx, 1)
                self.state = 234
                _la = self._input.LA(1)
                if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 58720256) != 0)):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 236
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==23:
                    self.state = 235
                    self.match(ClaimwrightGrammarParser.QUESTION)


                pass
            elif token in [9]:
                self.enterOuterAlt(localctx, 2)
                self.state = 238
                self.match(ClaimwrightGrammarParser.BOUNDS)
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AtomContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def name(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,0)


        def STRING(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.STRING)
            else:
                return self.getToken(ClaimwrightGrammarParser.STRING, i)

        def RANGE(self):
            return self.getToken(ClaimwrightGrammarParser.RANGE, 0)

        def SET(self):
            return self.getToken(ClaimwrightGrammarParser.SET, 0)

        def DOT(self):
            return self.getToken(ClaimwrightGrammarParser.DOT, 0)

        def NOT(self):
            return self.getToken(ClaimwrightGrammarParser.NOT, 0)

        def LPAREN(self):
            return self.getToken(ClaimwrightGrammarParser.LPAREN, 0)

        def setPart(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.SetPartContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.SetPartContext,i)


        def RPAREN(self):
            return self.getToken(ClaimwrightGrammarParser.RPAREN, 0)

        def OR(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.OR)
            else:
                return self.getToken(ClaimwrightGrammarParser.OR, i)

        def alternatives(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.AlternativesContext,0)


        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_atom




    def atom(self):

        localctx = ClaimwrightGrammarParser.AtomContext(self, self._ctx, self.state)
        self.enterRule(localctx, 34, self.RULE_atom)
        self._la = 0 # Token type
        try:
            self.state = 269
            self._errHandler.sync(self)
            la_ = self._interp.adaptivePredict(self._input,36,self._ctx)
            if la_ == 1:
                self.enterOuterAlt(localctx, 1)
                self.state = 241
                self.name()
                pass

            elif la_ == 2:
                self.enterOuterAlt(localctx, 2)
                self.state = 242
                self.match(ClaimwrightGrammarParser.STRING)
                pass

            elif la_ == 3:
                self.enterOuterAlt(localctx, 3)
                self.state = 243
                self.match(ClaimwrightGrammarParser.STRING)
                self.state = 244
                self.match(ClaimwrightGrammarParser.RANGE)
                self.state = 245
                self.match(ClaimwrightGrammarParser.STRING)
                pass

            elif la_ == 4:
                self.enterOuterAlt(localctx, 4)
                self.state = 246
                self.match(ClaimwrightGrammarParser.SET)
                pass

            elif la_ == 5:
                self.enterOuterAlt(localctx, 5)
                self.state = 247
                self.match(ClaimwrightGrammarParser.DOT)
                pass

            elif la_ == 6:
                self.enterOuterAlt(localctx, 6)
                self.state = 248
                self.match(ClaimwrightGrammarParser.NOT)
                self.state = 263
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [11]:
                    self.state = 249
                    self.match(ClaimwrightGrammarParser.STRING)
                    pass
                elif token in [12]:
                    self.state = 250
                    self.match(ClaimwrightGrammarParser.SET)
                    pass
                elif token in [14]:
                    self.state = 251
                    self.name()
                    pass
                elif token in [20]:
                    self.state = 252
                    self.match(ClaimwrightGrammarParser.LPAREN)
                    self.state = 253
                    self.setPart()
                    self.state = 258
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    while _la==19:
                        self.state = 254
                        self.match(ClaimwrightGrammarParser.OR)
                        self.state = 255
                        self.setPart()
                        self.state = 260
                        self._errHandler.sync(self)
                        _la = self._input.LA(1)

                    self.state = 261
                    self.match(ClaimwrightGrammarParser.RPAREN)
                    pass
                else:
                    raise NoViableAltException(self)

                pass

            elif la_ == 7:
                self.enterOuterAlt(localctx, 7)
                self.state = 265
                self.match(ClaimwrightGrammarParser.LPAREN)
                self.state = 266
                self.alternatives()
                self.state = 267
                self.match(ClaimwrightGrammarParser.RPAREN)
                pass


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class SetPartContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def STRING(self, i:int=None):
            if i is None:
                return self.getTokens(ClaimwrightGrammarParser.STRING)
            else:
                return self.getToken(ClaimwrightGrammarParser.STRING, i)

        def RANGE(self):
            return self.getToken(ClaimwrightGrammarParser.RANGE, 0)

        def SET(self):
            return self.getToken(ClaimwrightGrammarParser.SET, 0)

        def name(self):
            return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,0)


        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_setPart




    def setPart(self):

        localctx = ClaimwrightGrammarParser.SetPartContext(self, self._ctx, self.state)
        self.enterRule(localctx, 36, self.RULE_setPart)
        try:
            self.state = 277
            self._errHandler.sync(self)
            la_ = self._interp.adaptivePredict(self._input,37,self._ctx)
            if la_ == 1:
                self.enterOuterAlt(localctx, 1)
                self.state = 271
                self.match(ClaimwrightGrammarParser.STRING)
                self.state = 272
                self.match(ClaimwrightGrammarParser.RANGE)
                self.state = 273
                self.match(ClaimwrightGrammarParser.STRING)
                pass

            elif la_ == 2:
                self.enterOuterAlt(localctx, 2)
                self.state = 274
                self.match(ClaimwrightGrammarParser.STRING)
                pass

            elif la_ == 3:
                self.enterOuterAlt(localctx, 3)
                self.state = 275
                self.match(ClaimwrightGrammarParser.SET)
                pass

            elif la_ == 4:
                self.enterOuterAlt(localctx, 4)
                self.state = 276
                self.name()
                pass


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class NameContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def NAME(self):
            return self.getToken(ClaimwrightGrammarParser.NAME, 0)

        def getRuleIndex(self):
            return ClaimwrightGrammarParser.RULE_name




    def name(self):

        localctx = ClaimwrightGrammarParser.NameContext(self, self._ctx, self.state)
        self.enterRule(localctx, 38, self.RULE_name)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 279
            self.match(ClaimwrightGrammarParser.NAME)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx





