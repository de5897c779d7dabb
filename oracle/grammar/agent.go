package grammar

// Documents as agents really send them: the arguments of a tool call, as a
// model writes them. What they have in common is long text values full of
// escapes, money as decimals, identifiers as digits, names in camel and snake
// case, and documents inside strings.

var agentNames = []string{
	"path", "file_path", "old_string", "new_string", "command", "timeout_ms", "query", "limit", "offset", "url", "recipient",
	"amount", "currency", "orderId", "order_id", "userId", "reason", "confirm", "items", "metadata", "body", "subject", "date",
	"line_start", "line_end", "replace_all", "payment_method_id", "itemIds", "options", "schema_version", "lat", "lon",
}

var agentTexts = []string{
	"/home/user/project/src/main.go", "C:\\Users\\me\\notes.txt", "gift_card_5930501", "sara_doe_496", "#W2611340",
	"func main() {\n\tfmt.Println(\"hello\")\n}\n", "SELECT * FROM users WHERE name = 'O''Brien';", "grep -rn \"TODO\" . | head -20",
	"https://example.com/a?b=1&c=%20#x", "Zürich", "东京", "It’s “done” — 100 % ✅", "{\"nested\":{\"a\":1.0}}", "2026-02-30T12:00:00Z",
	"<script>alert(1)</script>", "a\r\nb\r\n", "\u00a0", "😀👩‍👩‍👧", "naïve café", "null", "1e5", "", "=1+1", "\x1b[31mred\x1b[0m", "${HOME}", "日本語\tテキスト",
}

// agent draws an object of arguments.
func (g *Generator) agent(s Source, depth int) int32 {
	g.mark(AgentDocument)
	t := &g.tree
	id := t.add(kindObject)
	for range 1 + s.Choose(4) {
		name := g.unique(id, t.str(agentNames[s.Choose(len(agentNames))]))
		child := g.agentValue(s, depth)
		t.nodes[child].name = name
		t.adopt(id, child)
	}
	return id
}

func (g *Generator) agentValue(s Source, depth int) int32 {
	t := &g.tree
	switch s.Choose(10) {
	case 0:
		return t.add(kind(s.Choose(3)))
	case 1, 2:
		return g.number(s)
	case 3: // cents as a decimal: 1200 is 12.00
		id := t.add(kindNumber)
		d, _ := g.integer(uint64(s.Choose(100000)))
		t.setNumber(id, false, d, -2, 0)
		return id
	case 4:
		if depth < 3 {
			return g.agent(s, depth+1)
		}
	case 5:
		id := t.add(kindArray)
		for range s.Choose(4) {
			t.adopt(id, g.agentText(s))
		}
		return id
	}
	return g.agentText(s)
}

func (g *Generator) agentText(s Source) int32 {
	id := g.tree.add(kindString)
	text := g.tree.str(agentTexts[s.Choose(len(agentTexts))])
	g.tree.nodes[id].text = text
	return id
}
