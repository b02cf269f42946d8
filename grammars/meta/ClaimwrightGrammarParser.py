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
        4,1,36,279,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,1,0,
        1,0,5,0,43,8,0,10,0,12,0,46,9,0,1,0,5,0,49,8,0,10,0,12,0,52,9,0,
        1,0,5,0,55,8,0,10,0,12,0,58,9,0,1,0,1,0,1,1,1,1,1,1,1,1,1,2,1,2,
        1,2,3,2,69,8,2,1,3,1,3,1,3,1,3,5,3,75,8,3,10,3,12,3,78,9,3,1,3,1,
        3,1,4,1,4,1,4,1,4,1,4,1,4,5,4,88,8,4,10,4,12,4,91,9,4,1,4,1,4,3,
        4,95,8,4,1,5,1,5,1,5,1,5,5,5,101,8,5,10,5,12,5,104,9,5,3,5,106,8,
        5,1,5,1,5,1,6,1,6,1,6,1,6,5,6,114,8,6,10,6,12,6,117,9,6,1,6,1,6,
        1,6,1,6,1,6,1,6,5,6,125,8,6,10,6,12,6,128,9,6,3,6,130,8,6,1,6,1,
        6,3,6,134,8,6,1,7,1,7,1,7,1,7,1,7,3,7,141,8,7,1,7,1,7,1,8,1,8,1,
        8,1,8,5,8,149,8,8,10,8,12,8,152,9,8,1,9,3,9,155,8,9,1,9,1,9,1,9,
        5,9,160,8,9,10,9,12,9,163,9,9,1,9,1,9,1,9,1,9,1,10,1,10,1,10,5,10,
        172,8,10,10,10,12,10,175,9,10,1,11,5,11,178,8,11,10,11,12,11,181,
        9,11,1,11,3,11,184,8,11,1,11,1,11,3,11,188,8,11,1,12,1,12,1,12,1,
        12,1,12,3,12,195,8,12,1,12,3,12,198,8,12,1,12,1,12,1,12,1,12,1,12,
        3,12,205,8,12,1,12,3,12,208,8,12,5,12,210,8,12,10,12,12,12,213,9,
        12,1,13,3,13,216,8,13,1,13,1,13,3,13,220,8,13,1,13,3,13,223,8,13,
        1,14,1,14,1,14,1,15,1,15,3,15,230,8,15,1,16,1,16,3,16,234,8,16,1,
        16,3,16,237,8,16,1,17,1,17,1,17,1,17,1,17,1,17,1,17,1,17,1,17,1,
        17,1,17,1,17,1,17,1,17,1,17,5,17,254,8,17,10,17,12,17,257,9,17,1,
        17,1,17,3,17,261,8,17,1,17,1,17,1,17,1,17,3,17,267,8,17,1,18,1,18,
        1,18,1,18,1,18,1,18,3,18,275,8,18,1,19,1,19,1,19,0,0,20,0,2,4,6,
        8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,0,2,1,0,30,31,1,0,
        23,25,308,0,40,1,0,0,0,2,61,1,0,0,0,4,68,1,0,0,0,6,70,1,0,0,0,8,
        81,1,0,0,0,10,96,1,0,0,0,12,133,1,0,0,0,14,135,1,0,0,0,16,144,1,
        0,0,0,18,154,1,0,0,0,20,168,1,0,0,0,22,179,1,0,0,0,24,189,1,0,0,
        0,26,222,1,0,0,0,28,224,1,0,0,0,30,227,1,0,0,0,32,236,1,0,0,0,34,
        266,1,0,0,0,36,274,1,0,0,0,38,276,1,0,0,0,40,44,3,2,1,0,41,43,3,
        4,2,0,42,41,1,0,0,0,43,46,1,0,0,0,44,42,1,0,0,0,44,45,1,0,0,0,45,
        50,1,0,0,0,46,44,1,0,0,0,47,49,3,18,9,0,48,47,1,0,0,0,49,52,1,0,
        0,0,50,48,1,0,0,0,50,51,1,0,0,0,51,56,1,0,0,0,52,50,1,0,0,0,53,55,
        3,16,8,0,54,53,1,0,0,0,55,58,1,0,0,0,56,54,1,0,0,0,56,57,1,0,0,0,
        57,59,1,0,0,0,58,56,1,0,0,0,59,60,5,0,0,1,60,1,1,0,0,0,61,62,5,1,
        0,0,62,63,3,38,19,0,63,64,5,17,0,0,64,3,1,0,0,0,65,69,3,6,3,0,66,
        69,3,10,5,0,67,69,3,12,6,0,68,65,1,0,0,0,68,66,1,0,0,0,68,67,1,0,
        0,0,69,5,1,0,0,0,70,76,5,6,0,0,71,72,3,8,4,0,72,73,5,17,0,0,73,75,
        1,0,0,0,74,71,1,0,0,0,75,78,1,0,0,0,76,74,1,0,0,0,76,77,1,0,0,0,
        77,79,1,0,0,0,78,76,1,0,0,0,79,80,5,22,0,0,80,7,1,0,0,0,81,82,3,
        38,19,0,82,94,5,30,0,0,83,95,5,15,0,0,84,89,3,38,19,0,85,86,5,27,
        0,0,86,88,3,38,19,0,87,85,1,0,0,0,88,91,1,0,0,0,89,87,1,0,0,0,89,
        90,1,0,0,0,90,95,1,0,0,0,91,89,1,0,0,0,92,95,5,11,0,0,93,95,5,10,
        0,0,94,83,1,0,0,0,94,84,1,0,0,0,94,92,1,0,0,0,94,93,1,0,0,0,95,9,
        1,0,0,0,96,105,5,7,0,0,97,102,3,38,19,0,98,99,5,18,0,0,99,101,3,
        38,19,0,100,98,1,0,0,0,101,104,1,0,0,0,102,100,1,0,0,0,102,103,1,
        0,0,0,103,106,1,0,0,0,104,102,1,0,0,0,105,97,1,0,0,0,105,106,1,0,
        0,0,106,107,1,0,0,0,107,108,5,22,0,0,108,11,1,0,0,0,109,110,5,2,
        0,0,110,115,3,38,19,0,111,112,5,18,0,0,112,114,3,38,19,0,113,111,
        1,0,0,0,114,117,1,0,0,0,115,113,1,0,0,0,115,116,1,0,0,0,116,118,
        1,0,0,0,117,115,1,0,0,0,118,119,5,17,0,0,119,134,1,0,0,0,120,129,
        5,8,0,0,121,126,3,38,19,0,122,123,5,18,0,0,123,125,3,38,19,0,124,
        122,1,0,0,0,125,128,1,0,0,0,126,124,1,0,0,0,126,127,1,0,0,0,127,
        130,1,0,0,0,128,126,1,0,0,0,129,121,1,0,0,0,129,130,1,0,0,0,130,
        131,1,0,0,0,131,134,5,22,0,0,132,134,3,14,7,0,133,109,1,0,0,0,133,
        120,1,0,0,0,133,132,1,0,0,0,134,13,1,0,0,0,135,136,5,32,0,0,136,
        140,3,38,19,0,137,138,5,16,0,0,138,139,5,16,0,0,139,141,3,38,19,
        0,140,137,1,0,0,0,140,141,1,0,0,0,141,142,1,0,0,0,142,143,5,10,0,
        0,143,15,1,0,0,0,144,145,5,4,0,0,145,146,3,38,19,0,146,150,5,17,
        0,0,147,149,3,18,9,0,148,147,1,0,0,0,149,152,1,0,0,0,150,148,1,0,
        0,0,150,151,1,0,0,0,151,17,1,0,0,0,152,150,1,0,0,0,153,155,5,3,0,
        0,154,153,1,0,0,0,154,155,1,0,0,0,155,156,1,0,0,0,156,161,3,38,19,
        0,157,160,3,6,3,0,158,160,3,14,7,0,159,157,1,0,0,0,159,158,1,0,0,
        0,160,163,1,0,0,0,161,159,1,0,0,0,161,162,1,0,0,0,162,164,1,0,0,
        0,163,161,1,0,0,0,164,165,5,16,0,0,165,166,3,20,10,0,166,167,5,17,
        0,0,167,19,1,0,0,0,168,173,3,22,11,0,169,170,5,19,0,0,170,172,3,
        22,11,0,171,169,1,0,0,0,172,175,1,0,0,0,173,171,1,0,0,0,173,174,
        1,0,0,0,174,21,1,0,0,0,175,173,1,0,0,0,176,178,3,26,13,0,177,176,
        1,0,0,0,178,181,1,0,0,0,179,177,1,0,0,0,179,180,1,0,0,0,180,183,
        1,0,0,0,181,179,1,0,0,0,182,184,3,24,12,0,183,182,1,0,0,0,183,184,
        1,0,0,0,184,187,1,0,0,0,185,186,5,33,0,0,186,188,3,38,19,0,187,185,
        1,0,0,0,187,188,1,0,0,0,188,23,1,0,0,0,189,190,5,29,0,0,190,197,
        3,38,19,0,191,194,5,20,0,0,192,195,3,38,19,0,193,195,5,15,0,0,194,
        192,1,0,0,0,194,193,1,0,0,0,195,196,1,0,0,0,196,198,5,21,0,0,197,
        191,1,0,0,0,197,198,1,0,0,0,198,211,1,0,0,0,199,200,5,18,0,0,200,
        207,3,38,19,0,201,204,5,20,0,0,202,205,3,38,19,0,203,205,5,15,0,
        0,204,202,1,0,0,0,204,203,1,0,0,0,205,206,1,0,0,0,206,208,5,21,0,
        0,207,201,1,0,0,0,207,208,1,0,0,0,208,210,1,0,0,0,209,199,1,0,0,
        0,210,213,1,0,0,0,211,209,1,0,0,0,211,212,1,0,0,0,212,25,1,0,0,0,
        213,211,1,0,0,0,214,216,3,28,14,0,215,214,1,0,0,0,215,216,1,0,0,
        0,216,217,1,0,0,0,217,219,3,34,17,0,218,220,3,32,16,0,219,218,1,
        0,0,0,219,220,1,0,0,0,220,223,1,0,0,0,221,223,3,30,15,0,222,215,
        1,0,0,0,222,221,1,0,0,0,223,27,1,0,0,0,224,225,3,38,19,0,225,226,
        7,0,0,0,226,29,1,0,0,0,227,229,5,10,0,0,228,230,5,23,0,0,229,228,
        1,0,0,0,229,230,1,0,0,0,230,31,1,0,0,0,231,233,7,1,0,0,232,234,5,
        23,0,0,233,232,1,0,0,0,233,234,1,0,0,0,234,237,1,0,0,0,235,237,5,
        9,0,0,236,231,1,0,0,0,236,235,1,0,0,0,237,33,1,0,0,0,238,267,3,38,
        19,0,239,267,5,11,0,0,240,241,5,11,0,0,241,242,5,26,0,0,242,267,
        5,11,0,0,243,267,5,12,0,0,244,267,5,27,0,0,245,260,5,28,0,0,246,
        261,5,11,0,0,247,261,5,12,0,0,248,261,3,38,19,0,249,250,5,20,0,0,
        250,255,3,36,18,0,251,252,5,19,0,0,252,254,3,36,18,0,253,251,1,0,
        0,0,254,257,1,0,0,0,255,253,1,0,0,0,255,256,1,0,0,0,256,258,1,0,
        0,0,257,255,1,0,0,0,258,259,5,21,0,0,259,261,1,0,0,0,260,246,1,0,
        0,0,260,247,1,0,0,0,260,248,1,0,0,0,260,249,1,0,0,0,261,267,1,0,
        0,0,262,263,5,20,0,0,263,264,3,20,10,0,264,265,5,21,0,0,265,267,
        1,0,0,0,266,238,1,0,0,0,266,239,1,0,0,0,266,240,1,0,0,0,266,243,
        1,0,0,0,266,244,1,0,0,0,266,245,1,0,0,0,266,262,1,0,0,0,267,35,1,
        0,0,0,268,269,5,11,0,0,269,270,5,26,0,0,270,275,5,11,0,0,271,275,
        5,11,0,0,272,275,5,12,0,0,273,275,3,38,19,0,274,268,1,0,0,0,274,
        271,1,0,0,0,274,272,1,0,0,0,274,273,1,0,0,0,275,37,1,0,0,0,276,277,
        5,14,0,0,277,39,1,0,0,0,37,44,50,56,68,76,89,94,102,105,115,126,
        129,133,140,150,154,159,161,173,179,183,187,194,197,204,207,211,
        215,219,222,229,233,236,255,260,266,274
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

        def name(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(ClaimwrightGrammarParser.NameContext)
            else:
                return self.getTypedRuleContext(ClaimwrightGrammarParser.NameContext,i)


        def ACTION(self):
            return self.getToken(ClaimwrightGrammarParser.ACTION, 0)

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
            self.state = 136
            self.name()
            self.state = 140
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==16:
                self.state = 137
                self.match(ClaimwrightGrammarParser.COLON)
                self.state = 138
                self.match(ClaimwrightGrammarParser.COLON)
                self.state = 139
                self.name()


            self.state = 142
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
            self.state = 144
            self.match(ClaimwrightGrammarParser.MODE)
            self.state = 145
            self.name()
            self.state = 146
            self.match(ClaimwrightGrammarParser.SEMI)
            self.state = 150
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==3 or _la==14:
                self.state = 147
                self.grammarRule()
                self.state = 152
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
            self.state = 154
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==3:
                self.state = 153
                self.match(ClaimwrightGrammarParser.FRAGMENT)


            self.state = 156
            self.name()
            self.state = 161
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==6 or _la==32:
                self.state = 159
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [6]:
                    self.state = 157
                    self.optionList()
                    pass
                elif token in [32]:
                    self.state = 158
                    self.namedAction()
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 163
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 164
            self.match(ClaimwrightGrammarParser.COLON)
            self.state = 165
            self.alternatives()
            self.state = 166
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
            self.state = 168
            self.sequence()
            self.state = 173
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==19:
                self.state = 169
                self.match(ClaimwrightGrammarParser.OR)
                self.state = 170
                self.sequence()
                self.state = 175
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
            self.state = 179
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 403725312) != 0):
                self.state = 176
                self.element()
                self.state = 181
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 183
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==29:
                self.state = 182
                self.command()


            self.state = 187
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==33:
                self.state = 185
                self.match(ClaimwrightGrammarParser.POUND)
                self.state = 186
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
            self.state = 189
            self.match(ClaimwrightGrammarParser.ARROW)
            self.state = 190
            self.name()
            self.state = 197
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==20:
                self.state = 191
                self.match(ClaimwrightGrammarParser.LPAREN)
                self.state = 194
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [14]:
                    self.state = 192
                    self.name()
                    pass
                elif token in [15]:
                    self.state = 193
                    self.match(ClaimwrightGrammarParser.INT)
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 196
                self.match(ClaimwrightGrammarParser.RPAREN)


            self.state = 211
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==18:
                self.state = 199
                self.match(ClaimwrightGrammarParser.COMMA)
                self.state = 200
                self.name()
                self.state = 207
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==20:
                    self.state = 201
                    self.match(ClaimwrightGrammarParser.LPAREN)
                    self.state = 204
                    self._errHandler.sync(self)
                    token = self._input.LA(1)
                    if token in [14]:
                        self.state = 202
                        self.name()
                        pass
                    elif token in [15]:
                        self.state = 203
                        self.match(ClaimwrightGrammarParser.INT)
                        pass
                    else:
                        raise NoViableAltException(self)

                    self.state = 206
                    self.match(ClaimwrightGrammarParser.RPAREN)


                self.state = 213
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
            self.state = 222
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [11, 12, 14, 20, 27, 28]:
                self.enterOuterAlt(localctx, 1)
                self.state = 215
                self._errHandler.sync(self)
                la_ = self._interp.adaptivePredict(self._input,27,self._ctx)
                if la_ == 1:
                    self.state = 214
                    self.label()


                self.state = 217
                self.atom()
                self.state = 219
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if (((_la) & ~0x3f) == 0 and ((1 << _la) & 58720768) != 0):
                    self.state = 218
                    self.suffix()


                pass
            elif token in [10]:
                self.enterOuterAlt(localctx, 2)
                self.state = 221
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
            self.state = 224
            self.name()
            self.state = 225
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
            self.state = 227
            self.match(ClaimwrightGrammarParser.ACTION)
            self.state = 229
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==23:
                self.state = 228
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
            self.state = 236
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [23, 24, 25]:
                self.enterOuterAlt(localctx, 1)
                self.state = 231
                _la = self._input.LA(1)
                if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 58720256) != 0)):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 233
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==23:
                    self.state = 232
                    self.match(ClaimwrightGrammarParser.QUESTION)


                pass
            elif token in [9]:
                self.enterOuterAlt(localctx, 2)
                self.state = 235
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
            self.state = 266
            self._errHandler.sync(self)
            la_ = self._interp.adaptivePredict(self._input,35,self._ctx)
            if la_ == 1:
                self.enterOuterAlt(localctx, 1)
                self.state = 238
                self.name()
                pass

            elif la_ == 2:
                self.enterOuterAlt(localctx, 2)
                self.state = 239
                self.match(ClaimwrightGrammarParser.STRING)
                pass

            elif la_ == 3:
                self.enterOuterAlt(localctx, 3)
                self.state = 240
                self.match(ClaimwrightGrammarParser.STRING)
                self.state = 241
                self.match(ClaimwrightGrammarParser.RANGE)
                self.state = 242
                self.match(ClaimwrightGrammarParser.STRING)
                pass

            elif la_ == 4:
                self.enterOuterAlt(localctx, 4)
                self.state = 243
                self.match(ClaimwrightGrammarParser.SET)
                pass

            elif la_ == 5:
                self.enterOuterAlt(localctx, 5)
                self.state = 244
                self.match(ClaimwrightGrammarParser.DOT)
                pass

            elif la_ == 6:
                self.enterOuterAlt(localctx, 6)
                self.state = 245
                self.match(ClaimwrightGrammarParser.NOT)
                self.state = 260
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [11]:
                    self.state = 246
                    self.match(ClaimwrightGrammarParser.STRING)
                    pass
                elif token in [12]:
                    self.state = 247
                    self.match(ClaimwrightGrammarParser.SET)
                    pass
                elif token in [14]:
                    self.state = 248
                    self.name()
                    pass
                elif token in [20]:
                    self.state = 249
                    self.match(ClaimwrightGrammarParser.LPAREN)
                    self.state = 250
                    self.setPart()
                    self.state = 255
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    while _la==19:
                        self.state = 251
                        self.match(ClaimwrightGrammarParser.OR)
                        self.state = 252
                        self.setPart()
                        self.state = 257
                        self._errHandler.sync(self)
                        _la = self._input.LA(1)

                    self.state = 258
                    self.match(ClaimwrightGrammarParser.RPAREN)
                    pass
                else:
                    raise NoViableAltException(self)

                pass

            elif la_ == 7:
                self.enterOuterAlt(localctx, 7)
                self.state = 262
                self.match(ClaimwrightGrammarParser.LPAREN)
                self.state = 263
                self.alternatives()
                self.state = 264
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
            self.state = 274
            self._errHandler.sync(self)
            la_ = self._interp.adaptivePredict(self._input,36,self._ctx)
            if la_ == 1:
                self.enterOuterAlt(localctx, 1)
                self.state = 268
                self.match(ClaimwrightGrammarParser.STRING)
                self.state = 269
                self.match(ClaimwrightGrammarParser.RANGE)
                self.state = 270
                self.match(ClaimwrightGrammarParser.STRING)
                pass

            elif la_ == 2:
                self.enterOuterAlt(localctx, 2)
                self.state = 271
                self.match(ClaimwrightGrammarParser.STRING)
                pass

            elif la_ == 3:
                self.enterOuterAlt(localctx, 3)
                self.state = 272
                self.match(ClaimwrightGrammarParser.SET)
                pass

            elif la_ == 4:
                self.enterOuterAlt(localctx, 4)
                self.state = 273
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
            self.state = 276
            self.match(ClaimwrightGrammarParser.NAME)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx





