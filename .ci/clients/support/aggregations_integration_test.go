package axiom_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/axiomhq/axiom-go/axiom"
	"github.com/axiomhq/axiom-go/axiom/query"
)

// Decodes the answer to each query of a file, strictly.
func TestAggregations(t *testing.T) {
	client, err := axiom.NewClient(axiom.SetEdgeURL(os.Getenv("AXIOM_EDGE_URL")), axiom.SetStrictDecoding(true))
	require.NoError(t, err)
	queries, err := os.ReadFile(os.Getenv("AGGREGATIONS"))
	require.NoError(t, err)
	for _, apl := range strings.Split(strings.TrimSpace(string(queries)), "\n") {
		t.Run(apl[strings.LastIndex(apl, "= ")+2:], func(t *testing.T) {
			now := time.Now()
			answer, err := client.Datasets.Query(t.Context(), apl, query.SetStartTime(now.Add(-time.Hour)), query.SetEndTime(now.Add(time.Hour)))
			require.NoError(t, err)
			table := answer.Tables[0]
			last := table.Fields[len(table.Fields)-1]
			require.Equal(t, !strings.Contains(apl, "x = 5"), last.Aggregation != nil)
			require.NotEmpty(t, table.Columns[0])
		})
	}
}
