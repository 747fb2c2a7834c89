from tool import apply


def test_empty():
    assert apply('') == ''
