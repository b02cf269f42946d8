"""An engine without a model: it follows a script of hints, one character a token, and stays legal under the grammar."""


from engine.grammar import Illegal, Vocabulary
from engine.request import Delta

DISCLOSURE = """# 技术交底书

发明名称：一种门锁防夹装置

## 技术领域
本发明涉及建筑五金技术领域，具体涉及一种门锁防夹装置。

## 背景技术
现有的门锁没有缓冲，儿童的手指容易被夹伤。

## 技术方案
门锁防夹装置包括壳体1、锁舌2、感应杆3和扭簧4。锁舌2滑动设置在壳体1内。感应杆3铰接在壳体1的外侧。扭簧4驱动感应杆3复位。
优选的，感应杆3的外侧包覆有硅胶套5。
优选的，硅胶套5的厚度为2mm至4mm。
优选的，壳体1上设有调节螺钉6。

## 有益效果
避免手指被夹伤。

## 附图说明
图1为整体结构示意图。
附图标记：1、壳体；2、锁舌；3、感应杆；4、扭簧；5、硅胶套；6、调节螺钉。
"""
EXTRACTED = {
    "subject": "门锁防夹装置",
    "category": "产品",
    "field": "建筑五金技术领域",
    "problem": "儿童的手指容易被夹伤",
    "parts": ["壳体", "锁舌", "感应杆", "扭簧", "硅胶套", "调节螺钉"],
    "features": ["锁舌滑动设置在壳体内", "感应杆铰接在壳体的外侧", "扭簧驱动感应杆复位"],
    "options": ["感应杆的外侧包覆有硅胶套", "硅胶套的厚度为2mm至4mm", "壳体上设有调节螺钉"],
    "effects": ["避免手指被夹伤"],
}


def _alphabet(*texts):
    return sorted({char for text in texts for char in text})


class ScriptedEngine:
    """Writes `answers[n]` for the n-th request as far as the grammar allows, then the shortest legal ending."""

    exact, info = True, {"name": "scripted"}

    def __init__(self, answers, extra=""):
        from apps.drafting.lexicon import connectives
        from apps.drafting.writing import GRAMMARS

        grammars = (path.read_text("utf-8") for path in GRAMMARS.glob("*.g4"))
        chars = _alphabet(DISCLOSURE, "".join(connectives()), *grammars, "提高降低解决问题避免减少有效权利要求或", extra)
        self.vocabulary = Vocabulary([char.encode() for char in chars] + [None], (len(chars),))
        self.ids = {char: index for index, char in enumerate(chars)}
        self.answers, self.prompts, self.calls = list(answers), [], 0

    def generate(self, request):
        self.prompts.append(request.prompt)
        answer = self.answers[self.calls] if self.calls < len(self.answers) else ""
        self.calls += 1
        state, text = request.grammar, answer
        if state is not None:
            for char in answer:
                try:
                    state = state.advance(self.ids[char])
                except (KeyError, Illegal):
                    break
            for char in state.ending:
                state = state.advance(self.ids[char])
            text = state.text
        for char in text:
            if request.cancelled():
                yield Delta("", (), "cancelled")
                return
            yield Delta(char, (self.ids.get(char, 0),), None, 20.0)
        yield Delta("", (), "stop", 20.0)
