const a = <div>x && y</div>;
